// Formats for other programs, called by the programs that open them.
import { toWire } from '#contract/errors.ts';
import type { ExistingFile, ExportFormat } from '#contract/host/runMethods.ts';
import { formatBytes, formatDate } from '#renderer/logic/format.ts';

export interface ExportTool {
  format: ExportFormat;
  tools: string;
  says: string;
}

const byFormat: Record<ExportFormat, Omit<ExportTool, 'format'>> = {
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
};

/** A format with what a person needs to choose it. */
export function exportTool(format: ExportFormat): ExportTool {
  return { format, ...byFormat[format] };
}

/** A file's name for a run's points: the run's name in plain letters, the start of its id, the format. */
export function exportFileName(name: string, runId: string, format: ExportFormat): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return `${plain === '' ? 'run' : plain}-${runId.slice(-6)}.${format}`;
}

/** The question that a refused export asks: whether to replace what is there; null where that was not the reason. */
export function replaceQuestion(error: unknown): string | null {
  const existing = toWire(error).details?.['existing'] as ExistingFile | undefined;
  if (existing === undefined) return null;
  const { bytes, modifiedMs } = existing;
  return `The file exists: ${formatBytes(bytes)}, ${formatDate(modifiedMs)}. Replace it?`;
}
