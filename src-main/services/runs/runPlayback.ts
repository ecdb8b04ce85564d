// A run after its end, instant by instant: its metrics over time from the catalogue, and what its recording
// shows at a time or played at a speed. Memory is flat: one instant at a time, no more than was asked for.
import type { Columns } from '#contract/columns.ts';
import { throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import type { RunSnapshot, RunPast } from '#contract/host/runQueries.ts';
import type { TickRecord } from '#contract/host/run.ts';
import type { TextJobs } from '#domain/scenario/textJobs.ts';
import type { Answer, HandlerContext, Handlers } from '#services/handlers.ts';
import type { Catalogue } from '#services/ports/catalogue.ts';
import type { RunFolders } from '#services/ports/files.ts';
import type {
  RecordedSnapshot,
  RecordingSnapshots,
  Recordings,
} from '#services/ports/recordings.ts';
import type { Clock, Timer } from '#services/ports/system.ts';
import { costsOverTime } from './costsOverTime.ts';
import { plansOverTime } from './plansOverTime.ts';
import { openRunSnapshots } from './openRun.ts';
import { runOf } from './runCollection.ts';
import { runObjects } from './runObjects.ts';
import { compiledWithoutObjects, scenarioOf } from './storedDocument.ts';

type PlaybackHandlers = Pick<
  Handlers<'runs'>,
  | 'runs.ticks'
  | 'runs.costs'
  | 'runs.scenario'
  | 'runs.objects'
  | 'runs.at'
  | 'runs.past'
  | 'runs.replay'
>;

export interface RunPlaybackPorts {
  catalogue: Catalogue;
  folders: RunFolders;
  recordings: Recordings;
  clock: Clock;
  timer: Timer;
  /** Reads what the catalogue stores of scenarios. */
  texts: TextJobs;
}

/** The handlers of `runs.*` that read a run again (contract/host/runQueries.ts). */
export function runPlaybackHandlers(ports: RunPlaybackPorts): PlaybackHandlers {
  const { catalogue } = ports;
  return {
    'runs.ticks': ({ runId }) => runTicks(ports, runOf(catalogue, runId).id),

    'runs.costs': async ({ runId }, { signal }) => {
      const run = runOf(catalogue, runId);
      const { vehicle } = (await compiledWithoutObjects(ports, run.id)).scenario;
      const snapshots = await openRunSnapshots(ports, run);
      try {
        const ticks = catalogue.ticks(run.id);
        const radiusM = vehicle.widthM / 2;
        const { timeS, costHere } = await costsOverTime(snapshots, ticks, radiusM, signal);
        const plans = await plansOverTime(snapshots, signal);
        const columns = {
          time_s: timeS,
          cost_here: costHere,
          plan_time_s: plans.timeS,
          plan_change_m: plans.changeM,
        };
        return { reply: { maps: timeS.length, plans: plans.timeS.length }, columns };
      } finally {
        await snapshots.close();
      }
    },

    'runs.scenario': async ({ runId }) => ({
      reply: await scenarioOf(ports, runOf(catalogue, runId).id),
    }),

    'runs.objects': async ({ runId }) => ({
      reply: { objects: await runObjects(ports, runOf(catalogue, runId).id) },
    }),

    'runs.at': async ({ runId, timeS, maxPoints }) => {
      const run = runOf(catalogue, runId);
      const snapshots = await openRunSnapshots(ports, run);
      try {
        const timeNs = Math.round(timeS * 1e9);
        const snapshot = await snapshots.at(timeNs, { maxPoints });
        if (snapshot === null) {
          throw new UnderstoryError('not-found', `nothing is recorded by ${timeS} s`);
        }
        return { reply: bodyOf(snapshot, snapshot.map), columns: columnsOf(snapshot) };
      } finally {
        await snapshots.close();
      }
    },

    'runs.past': async ({ runId, fromS, toS, maxScans, maxPoints }, context) => {
      const run = runOf(catalogue, runId);
      const [fromNs, toNs] = [Math.round(fromS * 1e9), Math.round(toS * 1e9)];
      const ticks = catalogue.ticks(run.id, { fromNs, toNs: toNs - 1 });
      const snapshots = await openRunSnapshots(ports, run);
      try {
        const wanted = spread(ticks, maxScans).filter(
          ({ timeNs }) => timeNs <= snapshots.lastTimeNs,
        );
        const share = Math.floor(maxPoints / Math.max(wanted.length, 1));
        for (const tick of wanted) {
          throwIfCancelled(context.signal);
          const columns = await snapshots.scans(tick, share);
          await context.chunk({ timeNs: tick.timeNs } satisfies RunPast, columns);
        }
        return { reply: { scans: wanted.length } };
      } finally {
        await snapshots.close();
      }
    },

    'runs.replay': async (request, context) => {
      const run = runOf(catalogue, request.runId);
      const ticks = catalogue.ticks(run.id, { fromNs: request.fromS * 1e9 });
      const snapshots = await openRunSnapshots(ports, run);
      try {
        const sent = await replay(ports, snapshots, ticks, request, context);
        return { reply: { ticks: sent } };
      } finally {
        await snapshots.close();
      }
    },
  };
}

/** Sends the instants that are due, the last one always. */
async function replay(
  { clock, timer }: RunPlaybackPorts,
  snapshots: RecordingSnapshots,
  ticks: readonly TickRecord[],
  { fromS, toS, speed, maxPoints }: RequestOf<'runs.replay'>,
  { signal, chunk }: HandlerContext,
): Promise<number> {
  const endNs = Math.min(snapshots.lastTimeNs, (toS ?? Infinity) * 1e9);
  const due = ticks.map(({ timeNs }) => timeNs).filter((t) => t >= fromS * 1e9 && t <= endNs);
  const startS = clock.seconds();
  let shownMap: RecordedSnapshot['map'] = null;
  let pathNs = NaN;
  let sent = 0;
  for (let index = 0; index < due.length && !signal.aborted;) {
    const timeNs = due[index] ?? 0;
    const waitS = (timeNs / 1e9 - fromS) / speed - (clock.seconds() - startS);
    if (waitS > 0) await timer.pause(waitS, signal);
    const snapshot = await snapshots.at(timeNs, {
      maxPoints,
      mapUnlessNs: shownMap?.timeNs ?? NaN,
      pathUnlessNs: pathNs,
    });
    if (snapshot !== null) {
      shownMap = snapshot.map ?? shownMap;
      pathNs = snapshot.path?.timeNs ?? pathNs;
      await chunk(bodyOf(snapshot, shownMap), columnsOf(snapshot));
      sent += 1;
    }
    if (index === due.length - 1) break;
    // Why: a late player continues with the tick that is due now, so that the speed stays.
    const nowNs = (fromS + (clock.seconds() - startS) * speed) * 1e9;
    index += 1;
    while (index < due.length - 1 && (due[index + 1] ?? Infinity) <= nowNs) index += 1;
  }
  throwIfCancelled(signal);
  return sent;
}

function bodyOf({ tick, returns }: RecordedSnapshot, map: RecordedSnapshot['map']): RunSnapshot {
  const { timeNs, truth, estimate, speedMPerS, distanceToGoalM, collisions, activity, gpsM } = tick;
  return {
    tick: {
      tick: tick.tick,
      timeNs,
      truth,
      estimate,
      speedMPerS,
      distanceToGoalM,
      collisions,
      activity,
      ...(gpsM !== undefined && { gpsM }),
    },
    returns,
    map: map === null ? null : { ...map.geometry, timeNs: map.timeNs },
  };
}

function columnsOf({ columns, map, path }: RecordedSnapshot): Columns {
  return {
    ...columns,
    ...(map !== null && { cost: map.cost }),
    ...(path !== null && { path_x_m: path.xM, path_y_m: path.yM }),
  };
}

/** Items taken evenly, up to a maximum, the last one among them. */
function spread<T>(items: readonly T[], most: number): T[] {
  const stride = Math.max(1, Math.ceil(items.length / most));
  return items.filter((_, index) => (items.length - 1 - index) % stride === 0);
}

/** The run's metrics over time as columns. */
async function runTicks(
  ports: Pick<RunPlaybackPorts, 'catalogue' | 'texts'>,
  runId: string,
): Promise<Answer<{ ticks: number; classes: string[] }>> {
  const { catalogue } = ports;
  const ticks = catalogue.ticks(runId);
  const { classes } = (await compiledWithoutObjects(ports, runId)).recipe;
  const column = (value: (tick: TickRecord) => number): Float64Array =>
    Float64Array.from(ticks, value);
  const classReturns = new Uint32Array(ticks.length * classes.length);
  const rowOf = new Map(ticks.map(({ tick }, row) => [tick, row]));
  const classOf = new Map(classes.map((name, index) => [name, index]));
  for (const scan of catalogue.scans(runId)) {
    const row = rowOf.get(scan.tick);
    if (row === undefined) continue;
    for (const [name, returns] of Object.entries(scan.classReturns)) {
      const at = row * classes.length + (classOf.get(name) ?? 0);
      classReturns[at] = (classReturns[at] ?? 0) + returns;
    }
  }
  const columns: Columns = {
    time_s: column(({ timeNs }) => timeNs / 1e9),
    speed_m_per_s: column(({ speedMPerS }) => speedMPerS),
    position_error_m: column(({ truth, estimate }) =>
      Math.hypot(
        estimate.positionM[0] - truth.positionM[0],
        estimate.positionM[1] - truth.positionM[1],
      ),
    ),
    distance_to_goal_m: column(({ distanceToGoalM }) => distanceToGoalM),
    truth_x_m: column(({ truth }) => truth.positionM[0]),
    truth_y_m: column(({ truth }) => truth.positionM[1]),
    truth_z_m: column(({ truth }) => truth.positionM[2]),
    gps_x_m: column(({ gpsM }) => gpsM?.[0] ?? NaN),
    gps_y_m: column(({ gpsM }) => gpsM?.[1] ?? NaN),
    gps_z_m: column(({ gpsM }) => gpsM?.[2] ?? NaN),
    collisions: Uint32Array.from(ticks, ({ collisions }) => collisions),
    class_returns: classReturns,
  };
  return { reply: { ticks: ticks.length, classes }, columns };
}
