// drive.*: a run from its order to its end, and the requests to it meanwhile.
// Guarantees: a run is catalogued as running before its first byte is written, and `stopAll` leaves none.
import { UnderstoryError } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import type { CompiledScenario, DriveCommand, RunOrder } from '#contract/host/run.ts';
import { heldCommand } from '#domain/autonomy/kinematics.ts';
import { canonicalJson } from '#domain/scenario/canonicalJson.ts';
import type { Documents } from '#services/documents/documents.ts';
import type { StoredDocument } from '#services/ports/catalogue.ts';
import { storedDocument } from '#services/runs/storedDocument.ts';
import { expectFreeSpace } from './freeSpace.ts';
import { followRun } from './followRun.ts';
import type { Handlers } from '#services/handlers.ts';
import { createRunGroup, type RunGroup } from './synchronisedRuns.ts';
import { createKeptProcesses } from './keptProcesses.ts';
import { startLiveRun, type LiveRun, type LiveRunPorts } from './liveRun.ts';
import type { RunProcesses } from '#services/ports/runProcesses.ts';
import type { Clock, Machine } from '#services/ports/system.ts';
import { sha256 } from '#services/sha256.ts';
import { commandsOf } from '#services/runs/recordedCommands.ts';
import { runOf } from '#services/runs/runCollection.ts';

export interface DrivePorts extends Omit<LiveRunPorts, 'processes'> {
  processes: RunProcesses;
  documents: Documents;
  machine: Machine;
  version: string;
  /** A new id, sortable by time (UUID version 7). */
  newId(): string;
}

/** Points of a view by default. */
const defaultViewPoints = 60_000;

/**
 * The handlers; how many runs are under way, and what waits until none is; what ends them all and waits for
 * their end.
 */
export function driveHandlers(ports: DrivePorts): {
  handlers: Handlers<'drive'>;
  liveRuns(): number;
  whenIdle(): Promise<void>;
  stopAll(): Promise<void>;
} {
  const { catalogue, clock, documents, folders, locks, machine } = ports;
  const live = new Map<string, LiveRun>();
  const groups = new Map<string, RunGroup>();
  const kept = createKeptProcesses(ports.processes, ports.timer);

  const handlers: Handlers<'drive'> = {
    'drive.start': async (request, { signal }) => {
      expectOneDriver(request);
      const { sensor, seed, startM, goalM, settings } = request;
      const { compiled, heights, meshes } = await documents.compile(
        request.scenario,
        { signal, seed, startM, goalM, settings },
        sensor === undefined ? null : { sensor },
      );
      expectMission(compiled);
      const commands =
        request.commands === undefined ? undefined : await commandsOfRun(ports, request.commands);
      const tickS = compiled.scenario.navigation.tickMs / 1000;
      const seconds = request.seconds ?? (commands ? commands.length * tickS : null);
      expectFreeSpace(ports, compiled, seconds);
      const document = await storedDocument(ports, compiled);
      const { keepsScene = false } = request;
      const order = {
        ...orderOf(request, compiled, seconds, commands),
        // Why: a process knows a scene with meshes again by their contents.
        ...(keepsScene && { contentsHash: await sha256(canonicalJson(meshes)) }),
      };
      return { reply: { runId: begin(order, document, heights, keepsScene) } };
    },
    'drive.control': ({ runId, ...change }) => {
      const run = live.get(runOf(catalogue, runId).id);
      // Why first: no new meeting may be set while the run is notified.
      const isPaused = change.steps === undefined ? change.isPaused : true;
      if (isPaused === true) groups.get(run?.runId ?? '')?.pause(true);
      run?.control({ kind: 'pace', ...change });
      if (isPaused === false) groups.get(run?.runId ?? '')?.pause(false);
      return { reply: { taken: run !== undefined } };
    },
    'drive.together': ({ runIds }) => {
      const ids = new Set(runIds.map((one) => runOf(catalogue, one).id));
      const runs = [...ids].flatMap((id) => live.get(id) ?? []);
      return { reply: { inStep: keepInStep(runs, groups, clock) } };
    },
    'drive.command': ({ runId, ...command }) => {
      const { id } = runOf(catalogue, runId);
      const run = live.get(id);
      const taken = run !== undefined && catalogue.order(id).control === 'hand';
      if (!taken) return { reply: { taken } };
      run.control({ kind: 'command', command });
      return { reply: { taken, command: heldCommand(run.vehicle, command) } };
    },
    'drive.stop': ({ runId }) => {
      const run = live.get(runOf(catalogue, runId).id);
      run?.stop();
      return { reply: { stopped: run !== undefined } };
    },
    'drive.watch': async ({ runId, maxPoints }, context) => {
      const row = runOf(catalogue, runId);
      const run = live.get(row.id);
      if (run === undefined) {
        const { state, end, metrics, error } = row;
        if (state !== 'running') return { reply: { state, end, metrics, error, errorCode: null } };
        throw new UnderstoryError('locked', `run ${row.id} is running in another host`);
      }
      await followRun(run, maxPoints, context);
      return { reply: await run.done };
    },
  };
  return { handlers, liveRuns: () => live.size, whenIdle, stopAll };

  function begin(
    order: ReturnType<typeof orderOf> & Pick<RunOrder, 'contentsHash'>,
    document: StoredDocument,
    heights: Float32Array,
    keepsScene: boolean,
  ): string {
    const { compiled, seconds, threads, isa, control } = order;
    const id = ports.newId();
    const { recordingFile, lockFile, hostLockFile } = folders.create(id);
    const hostLock = locks.acquire(hostLockFile);
    try {
      catalogue.insertRun({
        id,
        name: compiled.scenario.name,
        createdMs: clock.nowMs(),
        compiled,
        document,
        version: ports.version,
        hostName: machine.hostName,
        order: { seconds, threads, isa, control },
      });
    } catch (error) {
      hostLock.release();
      throw error;
    }
    const processes = { start: () => kept.start(keepsScene) };
    const whole = { ...order, recordingFile, lockFile };
    const run = startLiveRun({ ...ports, processes }, id, whole, heights, hostLock);
    live.set(id, run);
    void run.done.then(() => {
      live.delete(id);
      groups.delete(id);
    });
    return id;
  }

  async function whenIdle(): Promise<void> {
    // Why again: others may have begun in the meantime.
    while (live.size > 0) await Promise.all([...live.values()].map((run) => run.done));
  }

  async function stopAll(): Promise<void> {
    for (const run of live.values()) run.stop();
    await whenIdle();
    await kept.dispose();
  }
}

/** Runs leave the groups that they are in for one of their own. @returns the runs that are in step */
function keepInStep(
  runs: readonly LiveRun[],
  groups: Map<string, RunGroup>,
  clock: Clock,
): string[] {
  for (const { runId } of runs) {
    groups.get(runId)?.leave(runId);
    groups.delete(runId);
  }
  if (runs.length < 2) return [];
  const group = createRunGroup(runs, clock);
  for (const { runId } of runs) groups.set(runId, group);
  return runs.map(({ runId }) => runId);
}

/** The order for the run process, without its files. */
function orderOf(
  request: RequestOf<'drive.start'>,
  compiled: CompiledScenario,
  seconds: number | null,
  commands: DriveCommand[] | undefined,
) {
  const { planner } = request;
  const asked = planner === undefined ? (request.control ?? 'autonomy') : 'external';
  const control = commands === undefined ? asked : 'hand';
  // Why: a person drives in real time, where nothing else is asked for.
  const isPerson = control === 'hand' && commands === undefined;
  return {
    compiled,
    seconds,
    isPipelined: request.isPipelined,
    threads: request.threads ?? null,
    isa: request.isa ?? null,
    viewPoints: request.viewPoints ?? defaultViewPoints,
    control,
    ...(commands && { commands }),
    ...(planner && { planner }),
    ...(request.commandHoldS !== undefined && { commandHoldS: request.commandHoldS }),
    pace: {
      isPaused: request.isPaused ?? false,
      speed: request.speed === undefined ? (isPerson ? 1 : null) : request.speed,
    },
  };
}

/** @throws 'bad-input' where several are to drive, or a planner without its address */
function expectOneDriver({ control, commands, planner }: RequestOf<'drive.start'>): void {
  const problem = (path: string, message: string): never => {
    const problems = [{ path, code: 'conflict', message }];
    throw new UnderstoryError('bad-input', 'the drive was refused', { problems });
  };
  if (planner === undefined) {
    if (control === 'external' && commands === undefined) {
      problem('planner', "expected the planner's address: the control is external");
    }
    return;
  }
  if (commands !== undefined) problem('planner', 'expected a planner or the commands of a run');
  if (control !== undefined && control !== 'external') {
    problem('planner', `expected control external, or none, found ${control}`);
  }
}

/** The commands in the recording of a run. */
async function commandsOfRun(
  { catalogue, folders, recordings }: DrivePorts,
  runId: string,
): Promise<DriveCommand[]> {
  const reader = await recordings.open(folders.recordingFile(runOf(catalogue, runId).id));
  try {
    return await commandsOf(reader);
  } finally {
    await reader.close();
  }
}

function expectMission({ scenario, sensors }: CompiledScenario): void {
  const problems = [];
  if (scenario.mission === undefined) {
    problems.push({
      path: 'mission',
      code: 'missing',
      message: 'expected a mission with start and goal: a drive needs one',
    });
  }
  if (sensors.length === 0) {
    problems.push({
      path: 'sensors',
      code: 'missing',
      message: 'expected at least one sensor: give the scenario one, or name one (--sensor)',
    });
  }
  if (problems.length > 0) {
    throw new UnderstoryError('bad-input', 'the scenario cannot be driven', { problems });
  }
}
