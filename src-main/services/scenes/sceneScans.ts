// Requests to an open scene: a scan, and one pulse of it with its rays.
import {
  type Columns,
  defaultScanColumns,
  rayColumns,
  type ReturnColumnName,
  returnColumnNames,
  returnColumns,
  type ReturnTable,
} from '#contract/columns.ts';
import { badInput, UnderstoryError } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import type { SceneReplies } from '#contract/host/sceneMethods.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import type { ScanReply, ScanRequest } from '#contract/worker/worker.ts';
import type { WorkerChunk, WorkerReply } from '#contract/worker/workerMethods.ts';
import { originOf, type OriginM } from '#contract/worldOrigin.ts';
import { canonicalJson } from '#domain/scenario/canonicalJson.ts';
import { trajectoryToWorld } from '#domain/scene/georeference.ts';
import { poseFromDegrees } from '#domain/shared/pose.ts';
import type { Documents } from '#services/documents/documents.ts';
import { farPose } from '#domain/trajectory/farPose.ts';
import type { Answer, HandlerContext } from '#services/handlers.ts';
import type { Octrees } from '#services/ports/octrees.ts';
import { sampleOf } from '#services/scanSample.ts';
import { sha256 } from '#services/sha256.ts';
import { posesOfColumns } from '#domain/trajectory/poseColumns.ts';
import { stationaryAt, type Trajectory } from '#domain/trajectory/trajectory.ts';
import {
  type Interval,
  legAlong,
  nanosecondsOf,
  scanPathOf,
  unusable,
} from '#services/scans/scanPath.ts';
import { collectRows, type RowCollector } from './collectRows.ts';
import type { SceneSession } from './sceneSession.ts';

/** Columns of a cloud that is drawn by an octree. */
const cloudColumns = ['x_m', 'y_m', 'z_m', 'intensity', 'class_id'] as const;
const sentRows = 65_536;

/** scene.scan */
export async function scanScene(
  { documents, octrees }: { documents: Documents; octrees: Pick<Octrees, 'saveScan'> },
  session: SceneSession,
  request: RequestOf<'scene.scan'>,
  context: HandlerContext,
): Promise<Answer<SceneReplies['scene.scan']>> {
  const { columns = defaultScanColumns, maxRows } = request;
  const { scenario, recipe } = session.compiled;
  const { classes } = recipe;
  const trace = (rows: TracedRows, onChunk: TakeRows) =>
    traceScan(documents, session, request, context, rows, onChunk);
  if (maxRows === undefined) {
    const { body } = await trace({ columns }, (rows) => context.chunk(rows.body, rows.columns));
    return { reply: { ...countsOf(body), classes, saved: null } };
  }
  expectCloudColumns(columns);
  const originM: [number, number, number] = [...originOf(scenario.scene)];
  const saver = octrees.saveScan({ originM, classes, heldReturns: maxRows });
  try {
    const rows = {
      columns: [...cloudColumns],
      hashColumns: columns,
      sample: { columns, maxRows },
    };
    const traced = await trace(rows, (some) => saver.add(some.columns));
    await sendRows(sampleOf(traced.columns, columns), context);
    const { hash, returns } = traced.body;
    const key = await sha256(canonicalJson({ hash, columns, returns, originM, classes }));
    const saved = (await saver.save(key)) ? key : null;
    return { reply: { ...countsOf(traced.body), classes, saved } };
  } finally {
    await saver.end();
  }
}

type TracedRows = Pick<ScanRequest, 'columns' | 'hashColumns' | 'sample'>;
type TakeRows = (chunk: WorkerChunk<'scan'>) => Promise<void>;

function traceScan(
  documents: Documents,
  session: SceneSession,
  request: RequestOf<'scene.scan'>,
  { signal: caller, progress, columns: given = {} }: HandlerContext,
  rows: TracedRows,
  onChunk: TakeRows,
): Promise<WorkerReply<'scan'>> {
  const { scenario } = session.compiled;
  return session.ask(caller, async (worker, signal) => {
    const sensor = await sensorOf(documents, session, request);
    const { trajectory, fromNs, toNs } = pathOf(request, given, 1 / sensor.scan.rateHz);
    expectNear(trajectory, originOf(scenario.scene));
    const { seed = scenario.seed, misses } = request;
    const scan = { sensor, fromNs, toNs, seed, misses, ...rows };
    return worker.call('scan', scan, trajectory, { signal, onProgress: progress, onChunk });
  });
}

function countsOf({ pulses, rays, hits, returns, rows, hash }: ScanReply) {
  return { pulses, rays, hits, returns, rows, hash };
}

/** @throws 'bad-input' where the columns do not say where returns are, and what they are */
function expectCloudColumns(columns: readonly ReturnColumnName[]): void {
  const missing = cloudColumns.filter((name) => !columns.includes(name));
  if (missing.length === 0) return;
  const message = `expected ${missing.join(', ')} among the columns of a scan with maxRows`;
  throw badInput('columns', message);
}

/** A table in chunks. */
async function sendRows(table: ReturnTable, { chunk }: HandlerContext): Promise<void> {
  const columns = Object.entries(table);
  const rows = columns[0]?.[1].length ?? 0;
  for (let from = 0; from < rows; from += sentRows) {
    const to = Math.min(rows, from + sentRows);
    const part = columns.map(([name, column]) => [name, column.subarray(from, to)] as const);
    await chunk({ rows: to - from }, Object.fromEntries(part));
  }
}

/** @throws 'bad-input' where there is neither a pose nor poses, or both, and with every problem of the poses */
function pathOf(
  { pose, fromS, seconds, maxGapS }: RequestOf<'scene.scan'>,
  given: Columns,
  oneScanS: number,
): Interval & { trajectory: Trajectory } {
  if ((pose === undefined) === (given['time_ns'] === undefined)) {
    const message = 'expected a pose or columns of poses, one of both';
    throw unusable([{ path: 'pose', code: 'custom', message }]);
  }
  if (pose !== undefined) {
    const fromNs = nanosecondsOf(fromS ?? 0);
    const toNs = fromNs + nanosecondsOf(seconds ?? oneScanS);
    return { trajectory: stationaryAt(poseFromDegrees(pose)), fromNs, toNs };
  }
  const { value, problems } = posesOfColumns(given, maxGapS);
  if (value === null) throw unusable(problems);
  const leg = legAlong(value, 'pose');
  const { fromNs, toNs } = scanPathOf([leg], { fromS, seconds }, null);
  return { trajectory: leg.trajectory, fromNs, toNs };
}

/** @throws 'bad-input' where a pose is too far from the origin of the scene */
function expectNear(trajectory: Trajectory, originM: OriginM): void {
  const message = farPose(trajectoryToWorld(trajectory, originM), originM);
  if (message !== null) throw unusable([{ path: 'pose', code: 'too-far', message }]);
}

/** scene.heightAt */
export async function heightInScene(
  session: SceneSession,
  { xM, yM, ofGround }: RequestOf<'scene.heightAt'>,
  { signal: caller }: HandlerContext,
): Promise<Answer<SceneReplies['scene.heightAt']>> {
  const hasGround = session.compiled.recipe.ground >= 0;
  const place = { xM, yM, ofGround: ofGround && hasGround };
  const { body } = await session.ask(caller, (worker, signal) =>
    worker.call('scene.heightAt', place, {}, { signal }),
  );
  return { reply: body };
}

/** scene.pulse: the pulses of one instant are traced, and the rows of one number are sent. */
export async function tracePulse(
  documents: Documents,
  session: SceneSession,
  request: RequestOf<'scene.pulse'>,
  { signal: caller, progress }: HandlerContext,
): Promise<Answer<SceneReplies['scene.pulse']>> {
  const { timeNs, pulse } = request;
  const trajectory = stationaryAt(poseFromDegrees(request.pose));
  const rays = collectRows(rayColumns, pulse);
  const returns = collectRows(returnColumns, pulse);
  const { explained, waveform } = await session.ask(caller, async (worker, signal) => {
    const sensor = await sensorOf(documents, session, request);
    const seed = request.seed ?? session.compiled.scenario.seed;
    const fromNs = Math.max(0, timeNs - longestFiringOffsetNs(sensor));
    const interval = { sensor, fromNs, toNs: timeNs + 1, seed };
    const options = { signal, onProgress: progress };
    const collect =
      ({ take }: RowCollector) =>
      ({ columns }: { columns: Columns }): void =>
        take(columns);
    await worker.call('scan.rays', interval, trajectory, { ...options, onChunk: collect(rays) });
    if (rays.rows() === 0) {
      const message = `sensor '${sensor.id}' fires no pulse ${pulse} at ${timeNs} ns`;
      throw new UnderstoryError('not-found', message);
    }
    const scan = { ...interval, misses: false, columns: returnColumnNames };
    await worker.call('scan', scan, trajectory, { ...options, onChunk: collect(returns) });
    const explained = await worker.call('scan.signal', { ...interval, pulse }, trajectory, options);
    if (sensor.returns.waveform === undefined) return { explained, waveform: null };
    const found: Waveforms[] = [];
    const onChunk = (some: Waveforms): void => void found.push(some);
    const sampled = { ...interval, misses: true };
    await worker.call('scan.waveforms', sampled, trajectory, { ...options, onChunk });
    return { explained, waveform: waveformOf(found, pulse) };
  });
  const returned = Object.entries(returns.columns());
  return {
    reply: {
      rayRows: rays.rows(),
      returns: returns.rows(),
      ...explained.body,
      waveform: waveform?.grid ?? null,
    },
    columns: {
      ...rays.columns(),
      ...explained.columns,
      ...Object.fromEntries(returned.map(([name, array]) => [`return_${name}`, array])),
      ...(waveform !== null && { waveform: waveform.bins }),
    },
  };
}

/** Why: an interval has the pulses whose slot begins in it; with a firing table they leave later. */
function longestFiringOffsetNs({ banks }: SensorRecipe): number {
  return banks
    .flatMap(({ firingOffsetsNs = [] }) => firingOffsetsNs)
    .reduce((longest, offsetNs) => Math.max(longest, offsetNs), 0);
}

type Waveforms = WorkerChunk<'scan.waveforms'>;

/** The waveform of one pulse. */
function waveformOf(
  chunks: readonly Waveforms[],
  pulse: number,
): {
  grid: NonNullable<SceneReplies['scene.pulse']['waveform']>;
  bins: Float32Array;
} | null {
  for (const { body, columns } of chunks) {
    const at = columns.pulse.indexOf(BigInt(pulse));
    if (at < 0) continue;
    const { binsPerPulse } = body;
    return {
      grid: { ...body, firstRangeM: columns.first_range_m[at] ?? 0 },
      bins: columns.bins.slice(at * binsPerPulse, (at + 1) * binsPerPulse),
    };
  }
  return null;
}

type SensorRequest = Pick<RequestOf<'scene.scan'>, 'sensor' | 'sensorText' | 'rateHz' | 'mode'>;

/** As scan.start compiles it: at the place, and with the clock, of the scenario's first sensor. */
async function sensorOf(
  documents: Documents,
  { compiled }: SceneSession,
  { sensor, sensorText, rateHz, mode }: SensorRequest,
): Promise<SensorRecipe> {
  const clock = compiled.scenario.sensors[0]?.clock;
  const settings = { rateHz, mode, clock, stream: 0 };
  return (await documents.expectSensor(sensor, settings, sensorText)).recipe;
}
