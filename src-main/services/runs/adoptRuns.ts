// runs.adopt: rows of the catalogue from recordings. A run folder without a row gets one; a run that has one is
// brought into agreement with its recording, which is closed first where it was cut off.
// Guarantees: while it is at work no other host takes the run for dead; a recording without a whole head is left as
// it is, and named.
import { throwIfCancelled, toWire, UnderstoryError } from '#contract/errors.ts';
import type { AdoptedRun } from '#contract/host/runMethods.ts';
import type { TextJobs } from '#domain/scenario/textJobs.ts';
import type { HandlerContext, Handlers } from '#services/handlers.ts';
import type { Catalogue } from '#services/ports/catalogue.ts';
import type { Files, RunFolders } from '#services/ports/files.ts';
import type { RecordingMetadata, Recordings } from '#services/ports/recordings.ts';
import type { RunLocks } from '#services/ports/runProcesses.ts';
import type { Clock, Log, Timer } from '#services/ports/system.ts';
import { instancesOf } from '#services/scans/instancesOf.ts';
import { withScene, type ScenePorts } from '#services/scans/sceneWork.ts';
import { reconcile } from './reconcile.ts';
import { storedInRecording } from './recordedScenario.ts';
import { compiledOf, storedDocument, withStoredMeshes } from './storedDocument.ts';

export interface AdoptPorts extends ScenePorts {
  catalogue: Catalogue;
  recordings: Recordings;
  folders: RunFolders;
  locks: RunLocks;
  clock: Clock;
  timer: Timer;
  log: Log;
  /** Reads what the catalogue and recordings store of scenarios. */
  texts: TextJobs;
  files: Pick<Files, 'hashOf'>;
}

/** The handler of `runs.adopt`. */
export function adoptHandler(ports: AdoptPorts): Pick<Handlers<'runs'>, 'runs.adopt'> {
  const { catalogue, folders, log } = ports;
  return {
    'runs.adopt': async ({ runIds }, context) => {
      const ids = runIds ?? folders.list().filter((id) => catalogue.run(id)?.id !== id);
      const adopted: AdoptedRun[] = [];
      const refused: { runId: string; reason: string }[] = [];
      for (const [index, runId] of ids.entries()) {
        throwIfCancelled(context.signal);
        try {
          adopted.push(await adoptRun(ports, runId, context));
        } catch (error) {
          const { code, message } = toWire(error);
          if (code === 'cancelled') throw error;
          log.warn('a run could not be adopted', { runId, code, message });
          refused.push({ runId, reason: message });
        }
        context.progress({ phase: 'reading recordings', done: index + 1, total: ids.length });
      }
      return { reply: { adopted, refused } };
    },
  };
}

/**
 * Gives a run a row, or brings its row into agreement with its recording, which is closed first where it was cut off.
 * @throws UnderstoryError 'locked' for a run under way, 'not-found' | 'corrupt' for a recording that cannot be used
 */
export async function adoptRun(
  ports: AdoptPorts,
  idOrPrefix: string,
  context: HandlerContext,
): Promise<AdoptedRun> {
  const { catalogue, recordings, folders, locks } = ports;
  const runId = catalogue.run(idOrPrefix)?.id ?? idOrPrefix;
  if (folders.recordingBytes(runId) === null) {
    throw new UnderstoryError('not-found', `run ${runId} has no recording`);
  }
  const { lockFile, hostLockFile } = folders.files(runId);
  if (locks.isHeld(lockFile)) throw new UnderstoryError('locked', `run ${runId} is under way`);
  const hostLock = locks.acquire(hostLockFile);
  try {
    const file = folders.recordingFile(runId);
    const { wasComplete } = await recordings.recover(file);
    const { signal } = context;
    const { fault } = await recordings.check(file, { isQuick: false, signal, onBytes: () => {} });
    if (fault !== null) {
      const message = `the recording of run ${runId} is damaged: expected ${fault.expected}, found ${fault.found}`;
      throw new UnderstoryError('corrupt', message, { runId });
    }
    const recorded = await recordings.openMetadata(file);
    try {
      return await enter(ports, runId, recorded, wasComplete, context);
    } finally {
      await recorded.close();
    }
  } finally {
    hostLock.release();
  }
}

async function enter(
  ports: AdoptPorts,
  runId: string,
  recorded: RecordingMetadata,
  wasComplete: boolean,
  context: HandlerContext,
): Promise<AdoptedRun> {
  const { catalogue, clock } = ports;
  const known = catalogue.run(runId);
  if (known === null) await insertRun(ports, runId, recorded);
  if (catalogue.sceneSummary(runId) === null) await addScene(ports, runId, recorded, context);
  const { scans, changes, simSeconds, points } = await reconcile(catalogue, runId, recorded);
  if (known === null || !wasComplete || changes > 0) {
    const isArrived = recorded.ticks.at(-1)?.activity === 'arrived';
    const isWhole = wasComplete && known === null;
    catalogue.endRun(runId, {
      state: isWhole ? 'finished' : 'interrupted',
      end: isWhole && isArrived ? 'goal' : null,
      metrics: null,
      error: isWhole
        ? null
        : `Interrupted. ${scans} scans (${simSeconds.toFixed(1)} s) were saved.`,
      endedMs: clock.nowMs(),
    });
    catalogue.setTotals(runId, { simSeconds, points });
  }
  return { runId, isNew: known === null, scans, changes, simSeconds };
}

async function insertRun(
  ports: AdoptPorts,
  runId: string,
  { header }: RecordingMetadata,
): Promise<void> {
  const { catalogue, clock, folders } = ports;
  const { compiled, isa, understoryVersion: version } = header;
  const stored = await storedInRecording(ports, folders.recordingFile(runId), header);
  catalogue.insertRun({
    document: await storedDocument(ports, stored),
    id: runId,
    name: compiled.scenario.name,
    createdMs: timeOfId(runId) ?? clock.nowMs(),
    compiled,
    version,
    hostName: '',
    order: { seconds: null, threads: null, isa },
  });
}

/** Builds the scene for its objects and metrics. One that cannot be built any more is done without. */
export async function addScene(
  ports: AdoptPorts,
  runId: string,
  {
    header: { heights, isa, engine },
  }: { header: Pick<RecordingMetadata['header'], 'heights' | 'isa' | 'engine'> },
  context: HandlerContext,
): Promise<void> {
  const { catalogue, folders } = ports;
  const row = catalogue.run(runId) ?? { id: runId, origin: null };
  const compiled = await compiledOf(ports, runId);
  try {
    const { recipe } = withStoredMeshes(folders, row, compiled);
    await withScene(ports, { recipe, heights }, {}, context, async ({ worker, summary }) => {
      const scene = { summary, isa, engine, recipe };
      ports.catalogue.saveScene(runId, scene, await instancesOf(worker));
    });
  } catch (error) {
    const { code, message } = toWire(error);
    if (code === 'cancelled') throw error;
    ports.log.warn('the scene of an adopted run could not be built', { runId, code, message });
  }
}

/** When a run was started: its id is a UUID of version 7, which begins with milliseconds since 1970. */
function timeOfId(runId: string): number | null {
  const [, high = '', low = ''] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(runId) ?? [];
  return high === '' ? null : Number.parseInt(high + low, 16);
}
