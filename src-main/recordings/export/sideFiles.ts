// Files that are written beside returns: the rays of a scan, hit by hit, its waveforms, and tables of what ids mean.
import { rayColumnNames, type RayTable } from '#contract/columns.ts';
import type { RaysExporter, TableExporter, WaveformsExporter } from '#services/ports/exporters.ts';
import type { OriginM } from '#contract/worldOrigin.ts';
import { openCsvTable, quoted } from './csv.ts';
import { openNpz } from './npz.ts';
import { beginPartFile } from './partFile.ts';
import { worldColumnType, worldRays } from './worldColumns.ts';

/** A table of rays as CSV, or, where the name ends in .npz, one array for each column (ids as numbers). */
export async function createRaysFile(
  file: string,
  classes: string[],
  originM: OriginM,
): Promise<RaysExporter> {
  return file.toLowerCase().endsWith('.npz')
    ? raysNpz(file, originM)
    : raysCsv(file, classes, originM);
}

/** A CSV file of text and numbers. */
export async function createTableFile(
  file: string,
  columns: readonly string[],
): Promise<TableExporter> {
  return beginPartFile(file, async (part) => {
    const encoder = new TextEncoder();
    const write: TableExporter['write'] = async (rows) => {
      const lines = rows.map((row) => `${row.map((cell) => quoted(String(cell))).join(',')}\n`);
      await part.append(encoder.encode(lines.join('')));
    };
    await write([columns]);
    return { write, close: () => part.finish(), abort: () => part.abort() };
  });
}

async function raysCsv(file: string, classes: string[], originM: OriginM): Promise<RaysExporter> {
  return beginPartFile(file, async (part) => {
    const table = await openCsvTable(part, rayColumnNames, classes);
    return {
      write: (rays) => table.write(worldRays(rays, originM), rowsOf(rays), 0),
      close: () => part.finish(),
      abort: () => part.abort(),
    };
  });
}

async function raysNpz(file: string, originM: OriginM): Promise<RaysExporter> {
  const npz = await openNpz(
    file,
    rayColumnNames.map((name) => [name, { type: worldColumnType(name, originM) }]),
  );
  return {
    async write(rays) {
      const inWorld = worldRays(rays, originM);
      for (const name of rayColumnNames) await npz.append(name, inWorld[name]);
    },
    close: () => npz.close(),
    abort: () => npz.abort(),
  };
}

/**
 * NPZ: pulse (n), time_ns (n), first_range_m (n): lower edge of the first bin; bins (n, binsPerPulse); bin_m: length
 * of a bin.
 */
export async function createWaveformsFile(file: string): Promise<WaveformsExporter> {
  const npz = await openNpz(file, [
    ['pulse', { type: 'u64' }],
    ['time_ns', { type: 'i64' }],
    ['first_range_m', { type: 'f32' }],
  ]);
  let hasBins = false;
  const addBins = async (binsPerPulse: number): Promise<void> => {
    if (!hasBins) await npz.add('bins', { type: 'f32', rowShape: [binsPerPulse] });
    hasBins = true;
  };
  return {
    async write({ body: { binsPerPulse }, columns }) {
      await addBins(binsPerPulse);
      for (const name of ['pulse', 'time_ns', 'first_range_m', 'bins'] as const) {
        await npz.append(name, columns[name]);
      }
    },
    async close({ binsPerPulse, binM }) {
      await addBins(binsPerPulse);
      await npz.add('bin_m', { type: 'f64' });
      await npz.append('bin_m', Float64Array.of(binM));
      await npz.close();
    },
    abort: () => npz.abort(),
  };
}

function rowsOf({ pulse }: RayTable): number {
  return pulse.length;
}
