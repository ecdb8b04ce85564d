// scan.start: one sensor at one place in a scenario's scene, for an interval of simulated time. The rows go
// to the caller in chunks, or to a file on the host.
import { unusedAir } from '#domain/sensor/airEffects.ts';
import {
  beamColumns,
  defaultScanColumns,
  type ReturnColumnName,
  type ReturnTable,
} from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import type { Documents, LoadedScenario } from '#services/documents/documents.ts';
import type { HandlerContext, Handlers } from '#services/handlers.ts';
import type { Exporters, ExportTarget } from '#services/ports/exporters.ts';
import type { Recordings } from '#services/ports/recordings.ts';
import type { Product } from '#services/ports/system.ts';
import type { ScanResult } from '#services/ports/workers.ts';
import { openScanFile, scanFileFormatOf, type ScanFile } from './scanFile.ts';
import { checkSideFiles, writeSideFiles, type SideScan } from './scanSideFiles.ts';
import { eachSceneObject } from './sceneObjects.ts';
import { withScene, type OpenScene, type ScenePorts } from './sceneWork.ts';
import { originOf } from '#contract/worldOrigin.ts';
import { pathInScene, scanPathOf, type ScanPath } from './scanPath.ts';
import type { Files } from '#services/ports/files.ts';

export interface ScanPorts extends ScenePorts {
  documents: Documents;
  files: Files;
  exporters: Exporters;
  recordings: Recordings;
  product: Product;
}

/** The handlers of `scan.*` (contract/host/methods.ts). */
export function scanHandlers(ports: ScanPorts): Handlers<'scan'> {
  return {
    'scan.start': async (request, context) => {
      const { isa, threads, out } = request;
      // Why first: a format that cannot be written is known before minutes of building.
      if (out !== undefined && request.format === undefined) scanFileFormatOf(out);
      checkSideFiles(request, null);
      const inWorld = await scanPathOf(ports.files, request, context.signal);
      const { compiled, heights } = await ports.documents.compile(
        request.scenario,
        { signal: context.signal, seed: request.seed, settings: request.settings },
        { sensor: request.sensor, rateHz: request.rateHz, mode: request.mode },
      );
      checkSideFiles(request, compiled.sensors[0]?.recipe ?? null);
      const path = pathInScene(inWorld, originOf(compiled.scenario.scene), request);
      const scene = { recipe: compiled.recipe, heights };
      const reply = await withScene(ports, scene, { isa, threads }, context, async (open) => {
        const scanned = await scanReturns(
          ports,
          open,
          { compiled, heights },
          path,
          request,
          context,
        );
        const side = await writeSideFiles(
          ports,
          open.worker,
          { ...request, target: targetOf(request) },
          jobOf(compiled, request, path),
          path.trajectory,
          compiled,
          context,
        );
        return { ...scanned, ...side, files: [...scanned.files, ...side.files] };
      });
      return { reply };
    },
  };
}

type Scanned = Omit<Replies['scan.start'], 'rayRows' | 'waveforms'>;

async function scanReturns(
  ports: ScanPorts,
  open: OpenScene,
  { compiled, heights }: Pick<LoadedScenario, 'compiled' | 'heights'>,
  path: ScanPath,
  request: RequestOf<'scan.start'>,
  context: HandlerContext,
): Promise<Scanned> {
  if (request.out === undefined) return scanToCaller(open, compiled, path, request, context);
  const file = await openScanFile(ports, request.out, {
    columns: columnsOf(request),
    compiled,
    heights,
    hello: open.worker.hello,
    trajectory: path.trajectory,
    request,
    eachObject: (isWanted, take) => eachSceneObject(open.worker, compiled.recipe, isWanted, take),
    target: targetOf(request),
  });
  try {
    return await scanToFile(open, compiled, path, request, context, file);
  } catch (error) {
    await file.abort();
    throw error;
  }
}

/** Why all three: scenario, sensor and trajectory may be files, whose name could be that of a target too. */
function targetOf(request: RequestOf<'scan.start'>): ExportTarget {
  const { isReplacing, scenario, sensor, trajectory } = request;
  const inputs = [scenario, sensor, ...(trajectory === undefined ? [] : [trajectory.file])];
  return { isReplacing, inputs };
}

async function scanToCaller(
  open: OpenScene,
  compiled: CompiledScenario,
  path: ScanPath,
  request: RequestOf<'scan.start'>,
  context: HandlerContext,
): Promise<Scanned> {
  const columns = columnsOf(request);
  const result = await scanInterval(
    open,
    compiled,
    request,
    path,
    columns,
    context,
    (table, rows) => context.chunk({ rows }, table),
  );
  return replyOf(open, compiled, result, { files: [], leftOut: [] });
}

async function scanToFile(
  open: OpenScene,
  compiled: CompiledScenario,
  path: ScanPath,
  request: RequestOf<'scan.start'>,
  context: HandlerContext,
  file: ScanFile,
): Promise<Scanned> {
  const endNs = path.toNs;
  const stepNs = file.intervalNs ?? endNs - path.fromNs;
  const total: Counts = { pulses: 0, rays: 0, hits: 0, returns: 0, rows: 0, hash: '' };
  for (let { fromNs } = path, tick = 0; fromNs < endNs; fromNs += stepNs, tick += 1) {
    const { trajectory } = path;
    const interval = { trajectory, fromNs, toNs: Math.min(endNs, fromNs + stepNs) };
    const result = await scanInterval(
      open,
      compiled,
      request,
      interval,
      file.columns,
      context,
      file.rows,
    );
    await file.endInterval({ tick, sensor: 0, fromNs, toNs: interval.toNs, ...factsOf(result) });
    for (const key of ['pulses', 'rays', 'hits', 'returns', 'rows'] as const) {
      total[key] += result[key];
    }
    // Why: a hash is over one interval; with several, the file keeps one for each.
    total.hash = file.intervalNs === null ? result.hash : '';
  }
  return replyOf(open, compiled, total, await file.close());
}

type Counts = Pick<ScanResult, 'pulses' | 'rays' | 'hits' | 'returns' | 'rows' | 'hash'>;

function scanInterval(
  { worker }: OpenScene,
  compiled: CompiledScenario,
  request: RequestOf<'scan.start'>,
  interval: ScanPath,
  columns: ReturnColumnName[],
  context: HandlerContext,
  onRows: (table: ReturnTable, rows: number) => Promise<void> | void,
): Promise<ScanResult> {
  return worker.scan({ ...jobOf(compiled, request, interval), columns }, interval.trajectory, {
    signal: context.signal,
    onProgress: context.progress,
    onChunk: onRows,
  });
}

function jobOf(
  { sensors: [sensor], scenario }: CompiledScenario,
  { misses }: RequestOf<'scan.start'>,
  { fromNs, toNs }: ScanPath,
): SideScan {
  if (sensor === undefined) throw new UnderstoryError('internal', 'the sensor was not compiled');
  return { sensor: sensor.recipe, fromNs, toNs, seed: scenario.seed, misses };
}

function replyOf(
  { summary }: OpenScene,
  compiled: CompiledScenario,
  counts: Counts,
  written: { files: string[]; leftOut: string[] },
): Scanned {
  const { pulses, rays, hits, returns, rows, hash } = counts;
  const { files, leftOut } = written;
  const { classes } = compiled.recipe;
  const [sensor] = compiled.sensors;
  const air = unusedAir(compiled.recipe.atmosphere, sensor === undefined ? [] : [sensor.recipe]);
  const notes = air === null ? [] : [`${air.path} has no effect: ${air.message}`];
  return { files, leftOut, notes, pulses, rays, hits, returns, rows, hash, classes, summary };
}

function factsOf({
  pulses,
  returns,
  hash,
}: ScanResult): Pick<Counts, 'pulses' | 'returns' | 'hash'> {
  return { pulses, returns, hash };
}

function columnsOf(request: RequestOf<'scan.start'>): ReturnColumnName[] {
  if (request.columns !== undefined) return request.columns;
  const { out, format, frame } = request;
  const isFile = out !== undefined && format === undefined;
  const isLas = isFile && scanFileFormatOf(out) === 'las' && frame !== 'sensor';
  return isLas ? [...defaultScanColumns, ...beamColumns] : defaultScanColumns;
}
