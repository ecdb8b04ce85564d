// The adapter for the port `Exporters`: returns leave for other programs, chunk by chunk, in files that
// appear under their name only when they are whole.
import type { ExportFormat } from '#contract/host/runMethods.ts';
import type { Exporters, ReturnsExporter } from '#services/ports/exporters.ts';
import { csv } from './csv.ts';
import type { Format, FormatOptions } from './format.ts';
import { openPartFile } from './partFile.ts';
import { las } from './las.ts';
import { npz } from './npzColumns.ts';
import { pcd } from './pcd.ts';
import { ply } from './ply.ts';
import { checkTarget, underWay } from './target.ts';
import { createRaysFile, createWaveformsFile } from './sideFiles.ts';

/** Every format there is. A new one: a file here, a line here, a name in the contract's exportFormats. */
const formats: Record<ExportFormat, Format> = { csv, las, npz, pcd, ply };

/** Exporters by format. */
export function createExporters(): Exporters {
  // Why: two exports to one name would write into the same file aside.
  const filesUnderWay = new Set<string>();
  return {
    async create(file, { format, isReplacing, ...options }) {
      if (filesUnderWay.has(file)) throw underWay(file);
      filesUnderWay.add(file);
      const end = (): void => void filesUnderWay.delete(file);
      try {
        await checkTarget(file, isReplacing);
        return await createExporter(file, formats[format], { ...options, isReplacing, end });
      } catch (error) {
        end();
        throw error;
      }
    },
    createRays: createRaysFile,
    createWaveforms: createWaveformsFile,
  };
}

/** @throws UnderstoryError 'disk-full' | 'io' | 'not-found' (the folder), here and in every method */
async function createExporter(
  file: string,
  format: Format,
  { isReplacing, end, ...options }: FormatOptions & { isReplacing: boolean; end: () => void },
): Promise<ReturnsExporter> {
  const part = await openPartFile(file);
  let all = 0;
  try {
    const writer = await format(part, options);
    return {
      async write(table, rows, sensor = 0) {
        await writer.write(table, rows, sensor);
        all += rows;
      },
      async close() {
        const points = await writer.finish(all);
        // Again: others may have written meanwhile.
        await checkTarget(file, isReplacing);
        await part.finish();
        end();
        return { files: [file], points, leftOut: writer.leftOut };
      },
      async abort() {
        end();
        await writer.abort?.();
        await part.abort();
      },
    };
  } catch (error) {
    await part.abort();
    throw error;
  }
}
