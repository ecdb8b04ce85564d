// A scan as a recording: one cloud for each tick of the scenario, as in the recording of a run.
import type { ReturnTable } from '#contract/columns.ts';
import { hashedColumnsOf } from '#domain/sensor/recordedColumns.ts';
import { joinReturns } from '#domain/shared/joinColumns.ts';
import { sensorPoseAt, trajectoryWithin } from '#domain/trajectory/trajectory.ts';
import { engineHash } from '#services/engine.ts';
import type { MotionSteps } from '#services/ports/recordings.ts';
import type { ScanPiece } from '../scanPath.ts';
import { withPart } from './scanParts.ts';
import { type ReturnsKind, tickNs } from './scanSink.ts';

export const recordingFile: ReturnsKind = {
  pieceNs: tickNs,
  hasWholePieces: true,
  open: async (scan, out) => {
    const { ports, plan, worker } = scan;
    const { scenario } = plan.compiled;
    // Why: readers of the recording must know whether it has pulses without an echo.
    const recording = { ...scenario.recording, misses: true };
    const compiled = plan.misses
      ? { ...plan.compiled, scenario: { ...scenario, recording } }
      : plan.compiled;
    const columns = [...new Set([...hashedColumnsOf(compiled), ...plan.columns])];
    const open = await ports.exporters.openTarget(out, plan.target);
    const head = {
      compiled,
      heights: plan.heights,
      classes: compiled.recipe.classes,
      isa: worker.hello.isa,
      understoryVersion: ports.product.version,
      engine: await engineHash(worker.hello, ports.product.simulatingSources),
    };
    const writer = await ports.recordings.create(open.aside, head).catch(async (error: unknown) => {
      await open.abort();
      throw error;
    });
    let parts: ReturnTable[] = [];
    let rows = 0;
    let hasStart = false;
    return withPart(scan, out, 'mcap', {
      columns,
      rows: (table, tableRows) => {
        parts.push(table);
        rows += tableRows;
      },
      endPiece: async (record, piece) => {
        const recorded = { ...record, table: joinReturns(parts, columns), rows };
        parts = [];
        rows = 0;
        const pose = sensorPoseAt(piece.leg.trajectory, piece.toNs);
        const from = sensorPoseAt(piece.leg.trajectory, piece.fromNs);
        const start = { timeNs: piece.fromNs, truth: from, estimate: from, speedMPerS: 0 };
        if (!hasStart) await writer.start(start);
        hasStart = true;
        const steps = stepsOf(piece);
        await writer.scan(recorded);
        await writer.tick({
          tick: piece.tick,
          timeNs: piece.toNs,
          truth: pose,
          estimate: pose,
          speedMPerS: 0,
          distanceToGoalM: 0,
          collisions: 0,
          activity: 'waiting',
          sensorPoses: [pose],
          ...(steps && { steps }),
        });
      },
      close: async () => {
        await writer.close();
        await open.finish();
        return { files: [out], leftOut: [] };
      },
      abort: async () => {
        // Why swallowed: what is removed need not be whole.
        await writer.close().catch(() => undefined);
        await open.abort();
      },
    });
  },
};

/** Most poses of one tick. */
const maxTickPoses = 100;

/** The sensor's poses in a tick: those of the path, or where these are too many, evenly spaced ones. */
function stepsOf({ leg: { trajectory }, fromNs, toNs }: ScanPiece): MotionSteps | null {
  if (trajectory.time_ns.length === 1) return null;
  const { time_ns: times } = trajectoryWithin(trajectory, fromNs, toNs);
  const within = times.subarray(1, maxTickPoses + 2);
  const own = Array.from(within, Number).filter((timeNs) => timeNs > fromNs && timeNs < toNs);
  const stepNs = (toNs - fromNs) / maxTickPoses;
  const isDense = own.length >= maxTickPoses;
  const even = (step: number): number => fromNs + Math.round((step + 1) * stepNs);
  const later = isDense ? Array.from({ length: maxTickPoses - 1 }, (_, step) => even(step)) : own;
  const timesNs = [fromNs, ...later];
  return { timesNs, poses: timesNs.map((timeNs) => sensorPoseAt(trajectory, timeNs)) };
}
