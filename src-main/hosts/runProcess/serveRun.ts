// The work of a run process: frames with its host, one run after another, the end. It outlives a broken host only as
// long as it takes to finish the tick under way and close the recording. Its worker, and the scene in it, stay for runs
// of the same scene.
import { UnderstoryError } from '#contract/errors.ts';
import { createPeer, type Channel, type Message, type ServeContext } from '#contract/wire/rpc.ts';
import type { RunControl, RunOrder, RunOutcome } from '#contract/host/run.ts';
import { checkCatalogueFile } from '#catalogue/checkCatalogue.ts';
import { createRunLocks } from '#catalogue/runLocks.ts';
import { logLevelOf } from '#hosts/logLevel.ts';
import { createNodeClock } from '#hosts/node/nodeClock.ts';
import { createNodeMachine } from '#hosts/node/nodeMachine.ts';
import { createNodePlanners } from '#hosts/node/nodePlanners.ts';
import { createNodeProcessMeter } from '#hosts/node/nodeProcessMeter.ts';
import { createNodeTimer } from '#hosts/node/nodeTimer.ts';
import { workerBinary } from '#hosts/packageFolders.ts';
import { simulatingSources } from '#hosts/simulatingSources.ts';
import { understoryVersion } from '#hosts/version.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { executeRun, type RunPorts } from '#services/runProcess/executeRun.ts';
import { withMotions } from '#services/movingWorkers.ts';
import { createReusingLauncher } from '#workers/reusingLauncher.ts';
import { logToLines } from '#workers/logLines.ts';
import { createRunControls, type RunControls } from '#services/runProcess/runControls.ts';
import { createWorkerLauncher } from '#workers/workerLauncher.ts';
import { estimateFiles } from './estimateFiles.ts';
import {
  aliveMethod,
  checkCatalogueMethod,
  controlEvent,
  executeMethod,
  meshFolderVariable,
  recoverMethod,
  viewEvent,
  viewTakenEvent,
} from './runCalls.ts';

/**
 * Tracing threads give way to the thread that maps, plans and records. Why: they are as many as there are cores, and the
 * next tick waits for a plan that waits for a core. With two busy threads beside 144 plans of a drive and a load of 15, 95 %
 * of the plans took 57 ms at equal priority, 28 ms so. Why not more: with 10 a drive takes 2 % more processor time.
 */
const tracingNiceness = 5;

/** Serves runs, one at a time, the recovery of recordings or the check of a catalogue, over the channel; then ends the process. */
export function serveRun(channel: Channel): void {
  const hostLost = new AbortController();
  const stopped = new AbortController();
  let isExecuting = false;
  let controls: RunControls | null = null;
  /** Views sent and not yet taken. Why not drain(): not every channel has one, and this holds for all. */
  let viewsUnderWay = 0;

  const workers = createReusingLauncher(
    createWorkerLauncher({
      log: logToLines(
        (line) => void process.stderr.write(line),
        logLevelOf({ environment: process.env }),
      ),
      binary: workerBinary,
      cacheFolder: process.env[meshFolderVariable] ?? null,
      niceness: tracingNiceness,
    }),
  );
  const launcher = { ...workers, ...withMotions(workers) };
  const machine = createNodeMachine();
  /** Runs that share the memory of the machine with this one, itself included. */
  let runsAtOnce = 1;
  let isWarm = false;
  const ports: RunPorts = {
    launcher,
    recordings: createRecordings(),
    ...estimateFiles(process.env[meshFolderVariable]),
    machine: {
      ...machine,
      availableMemoryBytes: () => machine.availableMemoryBytes() / runsAtOnce,
    },
    warmUp(work) {
      if (!isWarm) work();
      isWarm = true;
    },
    clock: createNodeClock(),
    meter: createNodeProcessMeter(),
    product: { version: understoryVersion, simulatingSources: simulatingSources() },
  };
  const peer = createPeer(channel, {
    serve: {
      [executeMethod]: execute,
      [aliveMethod]: () => ({ body: {}, columns: {} }),
      [recoverMethod]: async ({ body }) => ({
        body: await ports.recordings.recover((body as { file: string }).file),
        columns: {},
      }),
      [checkCatalogueMethod]: ({ body }) => {
        const { file, isQuick } = body as { file: string; isQuick: boolean };
        return { body: checkCatalogueFile(file, isQuick), columns: {} };
      },
    },
  });
  peer.onEvent((name, { body }) => {
    if (name === controlEvent) controls?.take(body as RunControl);
    if (name === viewTakenEvent) viewsUnderWay -= 1;
  });
  void peer.closed.then(() => {
    hostLost.abort();
    if (!isExecuting) void end();
  });
  // Why: what it logs after its host has died must not keep it from closing its recording.
  process.stderr.on('error', () => undefined);
  // The host decides how a run ends; a signal to this process alone ends it cleanly, too.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => stopped.abort());

  async function execute({ body, columns }: Message, context: ServeContext): Promise<Message> {
    if (isExecuting) throw new UnderstoryError('protocol', 'this process executes a run already');
    const { heights } = columns;
    if (!(heights instanceof Float32Array)) {
      throw new UnderstoryError('protocol', "a run's order comes with the column 'heights'");
    }
    isExecuting = true;
    try {
      return { body: await executeLocked(body as RunOrder, heights, context), columns: {} };
    } finally {
      isExecuting = false;
      // Why not at once: the reply, or the error, is written when this function has returned.
      if (hostLost.signal.aborted) setImmediate(() => void end());
    }
  }

  async function end(): Promise<void> {
    await launcher.dispose().catch(() => undefined);
    process.exit();
  }

  async function executeLocked(
    order: RunOrder,
    heights: Float32Array,
    context: ServeContext,
  ): Promise<RunOutcome> {
    const lock = order.lockFile === null ? null : createRunLocks().acquire(order.lockFile);
    const signal = AbortSignal.any([context.signal, stopped.signal]);
    const controlPorts = {
      planners: createNodePlanners(),
      clock: ports.clock,
      timer: createNodeTimer(),
      version: understoryVersion,
    };
    launcher.expectContents(order.contentsHash ?? null);
    runsAtOnce = order.runsAtOnce ?? 1;
    controls = createRunControls(controlPorts, order, AbortSignal.any([signal, hostLost.signal]));
    try {
      return await executeRun(ports, order, heights, {
        signal,
        controls,
        hostLost: hostLost.signal,
        onProgress: (progress) => context.progress(progress),
        onRunEvent: async (event, eventColumns) => {
          try {
            await context.chunk(event, eventColumns);
          } catch (error) {
            // A run that is asked to stop still finishes its tick: the event was sent nevertheless.
            if (!context.signal.aborted) throw error;
          }
        },
        onView: (view, viewColumns) => {
          viewsUnderWay += 1;
          peer.emit(viewEvent, view, viewColumns);
        },
        isViewReady: () => viewsUnderWay === 0,
      });
    } finally {
      lock?.release();
    }
  }
}
