// The adapter for the port `Exporters`: returns leave for other programs, chunk by chunk, in files that
// appear under their name only when they are whole.
import type { ExportFormat } from '#contract/runMethods.ts';
import type { Exporters, ReturnsExporter } from '#services/ports/exporters.ts';
import { csv } from './csv.ts';
import type { Format, FormatOptions } from './format.ts';
import { openPartFile } from './partFile.ts';
import { pcd } from './pcd.ts';
import { ply } from './ply.ts';
import { createRaysFile, createWaveformsFile } from './sideFiles.ts';

/** Every format there is. A new one: a file here, a line here, a name in the contract's exportFormats. */
const formats: Record<ExportFormat, Format> = { csv, pcd, ply };

/** Exporters by format. */
export function createExporters(): Exporters {
  return {
    create: (file, { format, ...options }) => createExporter(file, formats[format], options),
    createRays: createRaysFile,
    createWaveforms: createWaveformsFile,
  };
}

/** @throws UnderstoryError 'disk-full' | 'io' | 'not-found' (the folder), here and in every method */
async function createExporter(
  file: string,
  format: Format,
  options: FormatOptions,
): Promise<ReturnsExporter> {
  const part = await openPartFile(file);
  let points = 0;
  try {
    const writer = await format(part, options);
    return {
      async write(table, rows, sensor = 0) {
        await writer.write(table, rows, sensor);
        points += rows;
      },
      async close() {
        await writer.finish(points);
        await part.finish();
        return { files: [file], points, leftOut: writer.leftOut };
      },
      abort: () => part.abort(),
    };
  } catch (error) {
    await part.abort();
    throw error;
  }
}
