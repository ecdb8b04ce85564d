// Files that scan.start writes beside the returns: the rays behind them, and the waveforms. Each is a scan of its own
// with the same sensor, pose, seed and interval: same pulses, same rays.
import { UnderstoryError } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import type { Problem } from '#contract/documents/problems.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import type { SensorRecipe } from '#contract/worker/recipe.ts';
import { maxWaveformBins, type WaveformBins } from '#contract/worker/worker.ts';
import { waveformBins } from '#domain/sensor/waveformBins.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';
import { worldOf } from '#domain/scene/georeference.ts';
import type { Exporters, ExportTarget } from '#services/ports/exporters.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import { idTableFilesOf } from './idTables.ts';
import { partFileOf } from './scanParts.ts';

type SideFiles = Pick<RequestOf<'scan.start'>, 'out' | 'rays' | 'waveforms' | 'posesOut'>;

export interface SideScan {
  sensor: SensorRecipe;
  fromNs: number;
  toNs: number;
  seed: number;
  misses: boolean;
}

const sideContents = { rays: 'the rays', waveforms: 'the waveforms', posesOut: 'the poses' };

/**
 * @throws 'bad-input' for names that cannot be written, names given twice (the later file would take the place of the
 * earlier one), and waveforms that the sensor does not sample, or in more bins than can be sent
 */
export function checkSideFiles(
  { out, rays, waveforms, posesOut }: SideFiles,
  sensor: SensorRecipe | null,
): void {
  const problems: Problem[] = [];
  const add = (path: string, message: string): void =>
    void problems.push({ path, code: 'format', message });
  if (rays !== undefined && !/\.(csv|npz)$/i.test(rays)) {
    add('rays', `expected a file that ends in .csv or .npz, found '${rays}'`);
  }
  if (waveforms !== undefined && !/\.npz$/i.test(waveforms)) {
    add('waveforms', `expected a file that ends in .npz, found '${waveforms}'`);
  }
  /** Contents of the files. */
  const contents = new Map<string, string>();
  if (out !== undefined) {
    const [objects, materials] = idTableFilesOf(out);
    contents
      .set(out, 'the returns')
      .set(objects, 'their objects')
      .set(materials, 'their materials');
    contents.set(partFileOf(out), 'the part');
  }
  for (const [name, file] of Object.entries({ rays, waveforms, posesOut })) {
    if (file === undefined) continue;
    const other = contents.get(file);
    if (other !== undefined)
      add(name, `expected another file than that of ${other}, found '${file}'`);
    contents.set(file, sideContents[name as keyof typeof sideContents]);
  }
  if (waveforms !== undefined && sensor !== null && sensor.returns.waveform === undefined) {
    add('waveforms', `expected a sensor with returns.waveform, '${sensor.id}' has none`);
  }
  const bins = waveforms === undefined || sensor === null ? 0 : waveformBins(sensor);
  if (bins > maxWaveformBins) {
    const most = `at most ${maxWaveformBins} bins between the range limits`;
    add('waveforms', `expected ${most}, found ${Math.ceil(bins)} of sensor '${sensor?.id}'`);
  }
  if (problems.length === 0) return;
  throw new UnderstoryError(
    'bad-input',
    'what was asked for beside the returns cannot be written',
    {
      problems,
    },
  );
}

/** Writes what was asked for, scan after scan. Files that are not ended are removed. */
export async function writeSideFiles(
  ports: { exporters: Exporters },
  worker: ScanWorker,
  { rays, waveforms, target }: SideFiles & { target: ExportTarget },
  scans: readonly (SideScan & { trajectory: Trajectory })[],
  compiled: CompiledScenario,
  { signal, progress }: HandlerContext,
): Promise<{ files: string[]; rayRows: number | null; waveforms: number | null }> {
  const options = { signal, onProgress: progress };
  const files: string[] = [];
  let rayRows: number | null = null;
  let pulses: number | null = null;
  if (rays !== undefined) {
    const file = await ports.exporters.createRays(
      rays,
      { classes: compiled.recipe.classes, ...worldOf(compiled) },
      target,
    );
    rayRows = await orAbort(file, async () => {
      let rows = 0;
      for (const { trajectory, sensor, fromNs, toNs, seed } of scans) {
        const interval = { sensor, fromNs, toNs, seed };
        const { body } = await worker.call('scan.rays', interval, trajectory, {
          ...options,
          onChunk: ({ columns }) => file.write(columns),
        });
        rows += body.rows;
      }
      await file.close();
      return rows;
    });
    files.push(rays);
  }
  if (waveforms !== undefined) {
    const file = await ports.exporters.createWaveforms(waveforms, target);
    pulses = await orAbort(file, async () => {
      let rows = 0;
      let bins: WaveformBins = { binsPerPulse: 0, binM: 0 };
      for (const { trajectory, ...scan } of scans) {
        const { body } = await worker.call('scan.waveforms', scan, trajectory, {
          ...options,
          onChunk: (some) => file.write(some),
        });
        rows += body.rows;
        bins = body;
      }
      await file.close(bins);
      return rows;
    });
    files.push(waveforms);
  }
  return { files, rayRows, waveforms: pulses };
}

async function orAbort<T>(file: { abort(): Promise<void> }, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await file.abort();
    throw error;
  }
}
