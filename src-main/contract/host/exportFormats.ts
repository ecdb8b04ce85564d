// Formats that runs and scans are exported in, by the endings of their files, and why a file is not written.

/** Formats in which returns leave for other programs, by the endings of their files (recordings/export has a file each). */
export const exportFormatTexts = {
  csv: {
    tools: 'pandas, R, Excel',
    says: 'CSV with a header line. Complete, about twice as large as a binary file.',
  },
  las: {
    tools: 'PDAL, CloudCompare, QGIS, LAStools',
    says: 'LAS 1.4. Positions in steps of 0.1 mm. Other columns are extra bytes. Pulses without an echo are omitted.',
  },
  npz: {
    tools: 'NumPy, PyTorch, JAX',
    says: 'NPZ: one typed array per column; class and sensor names as text.',
  },
  parquet: {
    tools: 'DuckDB, pandas, Polars, R',
    says: 'Parquet, compressed: one typed column per column; class and sensor names in its metadata.',
  },
  pcd: {
    tools: 'PCL, Open3D, MATLAB, CloudCompare',
    says: 'PCD 0.7, binary. Every column is a field. 64-bit times are doubles, exact for 104 days.',
  },
  ply: {
    tools: 'CloudCompare, MeshLab, Blender',
    says: 'PLY, binary. Every column is a vertex property. 64-bit times are doubles, exact for 104 days.',
  },
};
export type ExportFormat = keyof typeof exportFormatTexts;

/** Layouts of several files, in a folder. */
export const datasetFormatTexts = {
  semantickitti: {
    name: 'SemanticKITTI',
    tools: 'semantic segmentation',
    says: 'Layout of SemanticKITTI: a folder with a cloud and labels for each scan, poses, times and the map of labels; boxes of moving objects as tracking labels of KITTI.',
  },
};
export type DatasetFormat = keyof typeof datasetFormatTexts;

/** Packets that a sensor sends, in one file. */
export const captureFormats = ['velodyne-pcap'] as const;

/** Tables of what moves, not of points. */
export const objectFormats = ['boxes'] as const;

// Why the casts: Object.keys loses the names.
export const exportFormats = Object.keys(exportFormatTexts) as ExportFormat[];
export const datasetFormats = Object.keys(datasetFormatTexts) as DatasetFormat[];

/** Files that a scan can be written to: those of other programs, recordings, logs and captures of packets. */
export const scanFileFormats = [...exportFormats, 'mcap', 'log', 'pcap'] as const;
export type ScanFileFormat = (typeof scanFileFormats)[number];

/** '.csv, .las'. */
export function endingsText(formats: readonly string[]): string {
  return formats.map((format) => `.${format}`).join(', ');
}

/** The format that the ending of a name states; null: none of these. */
export function formatOfName<F extends string>(file: string, formats: readonly F[]): F | null {
  const ending = /\.([a-z]+)$/i.exec(file)?.[1]?.toLowerCase();
  return formats.find((format) => format === ending) ?? null;
}

/** Why a file is not exported to: details.reason of a 'bad-input', or with 'no-folder' of a 'not-found'. */
export type ExportRefusal =
  'relative' | 'no-folder' | 'is-folder' | 'exists' | 'data-folder' | 'input' | 'other-format';

/** The file that exists already: details.existing of a refusal 'exists'. */
export interface ExistingFile {
  bytes: number;
  modifiedMs: number;
}
