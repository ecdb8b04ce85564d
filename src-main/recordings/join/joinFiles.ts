// Joins files of one format that hold one part each of a scan. Guarantee: the bytes are those of the file of all rows.
// Memory does not grow with them.
import type { ExportFormat } from '#contract/host/runMethods.ts';
import { throwIfCancelled } from '#contract/errors.ts';
import type { PartFile } from '../export/partFile.ts';
import { joinHeaded, csvRows, pcdRows, plyRows } from './joinHeaded.ts';
import { joinLas } from './joinLas.ts';
import { joinNpz } from './joinNpz.ts';
import { unfit } from './readPart.ts';

/** Writes the rows of `parts`, in their order, into `file`, which the caller opens and ends. */
type Join = (file: PartFile, parts: readonly string[], check: () => void) => Promise<void>;

const joins: Record<ExportFormat, Join> = {
  csv: (file, parts, check) => joinHeaded(file, parts, csvRows, check),
  las: joinLas,
  npz: joinNpz,
  parquet: (_, [part]) =>
    Promise.reject(unfit(part ?? '', 'readers of .parquet files read its parts as one table')),
  pcd: (file, parts, check) => joinHeaded(file, parts, pcdRows, check),
  ply: (file, parts, check) => joinHeaded(file, parts, plyRows, check),
};

/** @throws UnderstoryError 'bad-input' for parts that cannot be joined, 'cancelled', and what `file` throws */
export function joinFiles(
  file: PartFile,
  parts: readonly string[],
  format: ExportFormat,
  signal: AbortSignal,
): Promise<void> {
  return joins[format](file, parts, () => throwIfCancelled(signal));
}
