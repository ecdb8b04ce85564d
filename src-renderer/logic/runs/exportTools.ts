// Formats for other programs, called by the programs that open them.
import { toWire } from '#contract/errors.ts';
import type { DatasetFormat, ExistingFile, ExportFormat } from '#contract/host/runMethods.ts';
import { bytesText } from '#domain/shared/formats.ts';
import { formatDate } from '#renderer/logic/format.ts';

/** A file, or a folder of several. */
export type AnyFormat = ExportFormat | DatasetFormat;

export interface ExportTool {
  format: AnyFormat;
  /** As the format is called. */
  name: string;
  /** Several files in a folder, from one sensor, without a choice of columns. */
  isFolder: boolean;
  tools: string;
  says: string;
}

const byFormat: Record<AnyFormat, Pick<ExportTool, 'tools' | 'says'>> = {
  pcd: {
    tools: 'PCL, Open3D, MATLAB, CloudCompare',
    says: 'PCD 0.7, binary. Every column is a field. 64-bit times are doubles, exact for 104 days.',
  },
  ply: {
    tools: 'CloudCompare, MeshLab, Blender',
    says: 'PLY, binary. Every column is a vertex property. 64-bit times are doubles, exact for 104 days.',
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
  csv: {
    tools: 'pandas, R, Excel',
    says: 'CSV with a header line. Complete, about twice as large as a binary file.',
  },
  semantickitti: {
    tools: 'semantic segmentation',
    says: 'Layout of SemanticKITTI: a folder with a cloud and labels for each scan, poses, times and the map of labels.',
  },
};

/** A format with what a person needs to choose it. */
export function exportTool(format: AnyFormat): ExportTool {
  const isFolder = format === 'semantickitti';
  const name = isFolder ? 'SemanticKITTI' : format.toUpperCase();
  return { format, name, isFolder, ...byFormat[format] };
}

/** A file's name for a run's points: the run's name in plain letters, the end of its id, the format. */
export function exportFileName(name: string, runId: string, format: AnyFormat): string {
  const ending = format === 'semantickitti' ? '-semantickitti' : `.${format}`;
  return `${plainName(name)}-${runId.slice(-6)}${ending}`;
}

/** A bundle's name: that of its run, or how many there are. */
export function packFileName(name: string, runIds: readonly string[]): string {
  const [only = ''] = runIds;
  const plain = plainName(name);
  return `${plain}-${runIds.length === 1 ? only.slice(-6) : runIds.length}.understory`;
}

function plainName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return plain === '' ? 'run' : plain;
}

/** The question that a refused export asks: whether to replace what is there; null where that was not the reason. */
export function replaceQuestion(error: unknown): string | null {
  const existing = toWire(error).details?.['existing'] as ExistingFile | undefined;
  if (existing === undefined) return null;
  const { bytes, modifiedMs } = existing;
  if (modifiedMs === 0) return 'The folder has an export. Replace it?';
  return `The file exists: ${bytesText(bytes)}, ${formatDate(modifiedMs)}. Replace it?`;
}
