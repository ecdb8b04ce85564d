// The host's side of a run process, whatever kind of child it is (RunProcesses of services/ports).
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { UnderstoryError } from '#contract/errors.ts';
import { JsonText, writeJson } from '#contract/wire/jsonText.ts';
import { createPeer, type Channel } from '#contract/wire/rpc.ts';
import type { RunEvent, RunOutcome, RunView } from '#contract/host/run.ts';
import type { Progress } from '#contract/worker/worker.ts';
import { logLevelVariable } from '#hosts/logLevel.ts';
import type { RunProcess, RunProcesses } from '#services/ports/runProcesses.ts';
import type { Log, LogLevel } from '#services/ports/system.ts';
import { createMutex, type Mutex } from '#services/mutex.ts';
import { startHeartbeat } from '#workers/heartbeat.ts';
import { passLogLine } from '#workers/logLines.ts';
import {
  aliveMethod,
  controlEvent,
  executeMethod,
  meshFolderVariable,
  viewEvent,
  viewTakenEvent,
} from './runCalls.ts';

/** A process that executes a run; src-main/hosts/runProcess/entry.ts is what it runs. */
export interface RunChild {
  pid: number;
  /** Closing it asks the process to finish its tick, close its recording and end. */
  channel: Channel;
  stderr: Readable;
  /** Resolves with how it ended. */
  ended: Promise<string>;
  kill(): void;
}

/** Starts a run process with this environment. */
export type StartRunChild = (environment: Record<string, string | undefined>) => RunChild;

export interface RunProcessesOptions {
  log: Log;
  /** Log level of the run processes; default: 'info'. */
  logLevel?: LogLevel;
  startChild: StartRunChild;
  /** In which the scenes of the runs are built (services/scans/sceneWork.ts); left out: at any time. */
  builds?: Mutex;
  /** Folder in which workers keep meshes; null: none. */
  cacheFolder?: string | null;
  /** Added to the run process's environment, for tests. */
  environment?: Record<string, string>;
  /** Time limits, for tests that cannot wait. */
  limits?: Partial<RunLimits>;
}

export interface RunLimits {
  /** A run process is asked for a sign of life this often … */
  heartbeatMs: number;
  /** … and killed after so many beats without one … */
  missedBeats: number;
  /** … or so many once it has been asked to end. */
  missedBeatsAtEnd: number;
  /** For the tick under way and the end of the recording, however alive it is. */
  endLimitMs: number;
}

const recentLines = 20;

/** Why longer than a worker's: mapping and planning share the thread that answers. */
const defaultLimits: RunLimits = {
  heartbeatMs: 5_000,
  missedBeats: 12,
  missedBeatsAtEnd: 3,
  endLimitMs: 60_000,
};

/** Starts one run process for each run. */
export function createRunProcesses(options: RunProcessesOptions): RunProcesses {
  return { start: () => Promise.resolve(startRunProcess(options)) };
}

function startRunProcess({
  log,
  logLevel = 'info',
  startChild,
  builds = createMutex(),
  cacheFolder = null,
  environment,
  limits = {},
}: RunProcessesOptions): RunProcess {
  const { heartbeatMs, missedBeats, missedBeatsAtEnd, endLimitMs } = {
    ...defaultLimits,
    ...limits,
  };
  const child = startChild({
    ...process.env,
    [logLevelVariable]: logLevel,
    ...(cacheFolder === null ? {} : { [meshFolderVariable]: cacheFolder }),
    ...environment,
  });
  const lines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line);
    if (lines.length > recentLines) lines.shift();
    passLogLine(line, 'run', log);
  });
  const peer = createPeer(child.channel, { lostCode: 'run-lost' });
  // Why once: what each run listened with would hold its order for as long as the process lives.
  let showView: Parameters<RunProcess['execute']>[2]['onView'];
  peer.onEvent((method, { body, columns }) => {
    if (method !== viewEvent) return;
    showView?.(body as RunView, columns);
    peer.emit(viewTakenEvent, {});
  });
  let killedBecause: string | null = null;
  const killBecause = (reason: string): void => {
    killedBecause ??= reason;
    child.kill();
  };
  let endLimit: NodeJS.Timeout | null = null;
  const stopHeartbeat = startHeartbeat({
    intervalMs: heartbeatMs,
    maxMissed: () => (endLimit === null ? missedBeats : missedBeatsAtEnd),
    ask: () => peer.call(aliveMethod, {}),
    onSilent: (silentMs) => killBecause(`stopped answering for ${silentMs / 1000} s`),
  });
  let hasEnded = false;
  const limitEnd = (): void => {
    // Why: the limit of a process that is gone would keep its host alive.
    if (hasEnded) return;
    endLimit ??= setTimeout(
      () => killBecause(`did not end within ${endLimitMs / 1000} s after it was asked to`),
      endLimitMs,
    );
  };
  void child.ended.then(() => {
    hasEnded = true;
    stopHeartbeat();
    if (endLimit !== null) clearTimeout(endLimit);
  });

  return {
    pid: child.pid,
    async execute(order, heights, { signal, onProgress, onRunEvent, onView }) {
      showView = onView;
      const waiting = { phase: 'waiting for another scene to be built', done: 0, total: 0 };
      const unlock = await builds.lock(signal, () => onProgress?.(waiting));
      signal?.addEventListener('abort', limitEnd, { once: true });
      try {
        const sent = new JsonText(await writeJson(order, () => setImmediate()));
        const { body } = await peer.call(executeMethod, sent, {
          columns: { heights },
          ...(signal === undefined ? {} : { signal }),
          onProgress: (progress) => onProgress?.(progress as Progress),
          onChunk: (message) => {
            const event = message.body as RunEvent;
            if (event.kind === 'scene') unlock();
            return onRunEvent(event, message.columns);
          },
        });
        return body as RunOutcome;
      } catch (error) {
        if (!(error instanceof UnderstoryError) || error.code !== 'run-lost') throw error;
        const how = await child.ended;
        throw new UnderstoryError('run-lost', `the run process ${killedBecause ?? how}`, {
          stderr: lines,
        });
      } finally {
        unlock();
        showView = undefined;
        signal?.removeEventListener('abort', limitEnd);
      }
    },
    control(control) {
      peer.emit(controlEvent, control, {});
    },
    async dispose() {
      stopHeartbeat();
      peer.close();
      limitEnd();
      await child.ended;
    },
  };
}
