// scan.start: one sensor at one place in a scenario's scene, for an interval of simulated time. The rows go
// to the caller in chunks, or to a file on the host.
import { defaultScanColumns, type ReturnColumnName, type ReturnTable } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import { poseFromDegrees } from '#domain/shared/pose.ts';
import type { Documents, LoadedScenario } from '#services/documents/documents.ts';
import type { HandlerContext, Handlers } from '#services/handlers.ts';
import type { Exporters, ExportTarget } from '#services/ports/exporters.ts';
import type { Recordings } from '#services/ports/recordings.ts';
import type { Product } from '#services/ports/system.ts';
import type { ScanResult } from '#services/ports/workers.ts';
import { openScanFile, scanFileFormatOf, type ScanFile } from './scanFile.ts';
import { checkSideFiles, writeSideFiles, type SideScan } from './scanSideFiles.ts';
import { withScene, type OpenScene, type ScenePorts } from './sceneWork.ts';
import { standingAt } from '#domain/trajectory/trajectory.ts';

export interface ScanPorts extends ScenePorts {
  documents: Documents;
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
      if (out !== undefined) scanFileFormatOf(out);
      checkSideFiles(request, null);
      const { compiled, heights } = await ports.documents.compile(
        request.scenario,
        { signal: context.signal, seed: request.seed, settings: request.settings },
        { sensor: request.sensor, rateHz: request.rateHz, mode: request.mode },
      );
      checkSideFiles(request, compiled.sensors[0]?.recipe ?? null);
      const scene = { recipe: compiled.recipe, heights };
      const reply = await withScene(ports, scene, { isa, threads }, context, async (open) => {
        const scanned = await scanReturns(ports, open, { compiled, heights }, request, context);
        const side = await writeSideFiles(
          ports,
          open.worker,
          { ...request, target: targetOf(request) },
          jobOf(compiled, request, { fromNs: 0, toNs: nanosecondsOf(request.seconds) }),
          standingAt(poseFromDegrees(request.pose)),
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
  request: RequestOf<'scan.start'>,
  context: HandlerContext,
): Promise<Scanned> {
  if (request.out === undefined) return scanToCaller(open, compiled, request, context);
  const file = await openScanFile(ports, request.out, {
    columns: columnsOf(request),
    compiled,
    heights,
    hello: open.worker.hello,
    pose: poseFromDegrees(request.pose),
    target: targetOf(request),
  });
  try {
    return await scanToFile(open, compiled, request, context, file);
  } catch (error) {
    await file.abort();
    throw error;
  }
}

/** Why both: a scenario or sensor may be a file, whose name is then that of a target too. */
function targetOf({ isReplacing, scenario, sensor }: RequestOf<'scan.start'>): ExportTarget {
  return { isReplacing, inputs: [scenario, sensor] };
}

async function scanToCaller(
  open: OpenScene,
  compiled: CompiledScenario,
  request: RequestOf<'scan.start'>,
  context: HandlerContext,
): Promise<Scanned> {
  const interval = { fromNs: 0, toNs: nanosecondsOf(request.seconds) };
  const columns = columnsOf(request);
  const result = await scanInterval(
    open,
    compiled,
    request,
    interval,
    columns,
    context,
    (table, rows) => context.chunk({ rows }, table),
  );
  return replyOf(open, compiled, result, { files: [], leftOut: [] });
}

async function scanToFile(
  open: OpenScene,
  compiled: CompiledScenario,
  request: RequestOf<'scan.start'>,
  context: HandlerContext,
  file: ScanFile,
): Promise<Scanned> {
  const endNs = nanosecondsOf(request.seconds);
  const stepNs = file.intervalNs ?? endNs;
  const total: Counts = { pulses: 0, rays: 0, hits: 0, returns: 0, rows: 0, hash: '' };
  for (let fromNs = 0, tick = 0; fromNs < endNs; fromNs += stepNs, tick += 1) {
    const interval = { fromNs, toNs: Math.min(endNs, fromNs + stepNs) };
    const result = await scanInterval(
      open,
      compiled,
      request,
      interval,
      file.columns,
      context,
      file.rows,
    );
    await file.endInterval({ tick, sensor: 0, ...interval, ...factsOf(result) });
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
  interval: { fromNs: number; toNs: number },
  columns: ReturnColumnName[],
  context: HandlerContext,
  onRows: (table: ReturnTable, rows: number) => Promise<void> | void,
): Promise<ScanResult> {
  return worker.scan(
    { ...jobOf(compiled, request, interval), columns },
    standingAt(poseFromDegrees(request.pose)),
    {
      signal: context.signal,
      onProgress: context.progress,
      onChunk: onRows,
    },
  );
}

function jobOf(
  { sensors: [sensor], scenario }: CompiledScenario,
  { misses }: RequestOf<'scan.start'>,
  interval: { fromNs: number; toNs: number },
): SideScan {
  if (sensor === undefined) throw new UnderstoryError('internal', 'the sensor was not compiled');
  return { sensor: sensor.recipe, ...interval, seed: scenario.seed, misses };
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
  return { files, leftOut, pulses, rays, hits, returns, rows, hash, classes, summary };
}

function factsOf({
  pulses,
  returns,
  hash,
}: ScanResult): Pick<Counts, 'pulses' | 'returns' | 'hash'> {
  return { pulses, returns, hash };
}

function columnsOf(request: RequestOf<'scan.start'>): ReturnColumnName[] {
  return request.columns ?? defaultScanColumns;
}

function nanosecondsOf(seconds: number): number {
  return Math.round(seconds * 1e9);
}
