// Formats for other programs, called by the programs that open them.
import { toWire } from '#contract/errors.ts';
import {
  datasetFormatTexts,
  exportFormatTexts,
  type DatasetFormat,
  type ExistingFile,
  type ExportFormat,
} from '#contract/host/exportFormats.ts';
import { bytesText } from '#domain/shared/formats.ts';
import { formatTime } from '#renderer/logic/format.ts';

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

/** A format with what a person needs to choose it. */
export function exportTool(format: AnyFormat): ExportTool {
  return isDataset(format)
    ? { format, isFolder: true, ...datasetFormatTexts[format] }
    : { format, isFolder: false, name: format.toUpperCase(), ...exportFormatTexts[format] };
}

function isDataset(format: AnyFormat): format is DatasetFormat {
  return Object.hasOwn(datasetFormatTexts, format);
}

/** A file's name for a run's points: the run's name in plain letters, the end of its id, the format. */
export function exportFileName(name: string, runId: string, format: AnyFormat): string {
  const ending = `${isDataset(format) ? '-' : '.'}${format}`;
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
  return `The file exists: ${bytesText(bytes)}, ${formatTime(modifiedMs)}. Replace it?`;
}
