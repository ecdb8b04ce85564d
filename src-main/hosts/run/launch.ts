// Run processes as child processes of this host, with the same Node (RunProcesses of services/ports/runProcesses.ts).
// A run process ends with its stdin: one that loses its host finishes its tick, closes its recording, stops.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { UnderstoryError } from '#contract/errors.ts';
import { createPeer } from '#contract/rpc.ts';
import type { RunFact, RunOutcome, RunView } from '#contract/run.ts';
import type { Progress } from '#contract/worker.ts';
import type { RunProcess, RunProcesses } from '#services/ports/runProcesses.ts';
import type { Log } from '#services/ports/system.ts';
import { passLogLine } from '#workers/logLines.ts';
import { stdioChannel } from '#workers/stdioChannel.ts';
import { executeMethod, meshFolderVariable, viewEvent } from './runCalls.ts';

export interface RunProcessesOptions {
  log: Log;
  /** Folder in which workers keep meshes; null: none. */
  cacheFolder?: string | null;
  /** Added to the run process's environment, for tests. */
  environment?: Record<string, string>;
}

/** What a run process executes. */
export const runEntryFile = fileURLToPath(new URL('entry.ts', import.meta.url));

/**
 * Why: a run's heap is small (some 20 MB) and its columns lie outside it, megabytes a tick, so that V8
 * would collect the whole heap at every tick; and helper threads of the collector would wait for cores
 * that the worker keeps busy. Measured with an HDL-64E: 1.2 -> 0.9 core-seconds a simulated second.
 */
const nodeFlags = ['--initial-heap-size=256', '--single-threaded-gc'];
const keptLines = 20;
/** For the tick under way and the end of the recording. */
const endLimitMs = 30_000;

/** Starts one run process for each run. */
export function createRunProcesses(options: RunProcessesOptions): RunProcesses {
  return { start: () => Promise.resolve(startRunProcess(options)) };
}

function startRunProcess(options: RunProcessesOptions): RunProcess {
  const { log, cacheFolder = null, environment } = options;
  // Why detached: Ctrl+C in a terminal reaches the whole process group, and it is the host that decides
  // how a run ends.
  const child = spawn(process.execPath, [...nodeFlags, runEntryFile], {
    stdio: 'pipe',
    detached: true,
    env: {
      ...process.env,
      ...(cacheFolder === null ? {} : { [meshFolderVariable]: cacheFolder }),
      ...environment,
    },
  });
  const lines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line);
    if (lines.length > keptLines) lines.shift();
    passLogLine(line, 'run', log);
  });
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(`could not be started: ${error.message}`));
    child.on('close', (code, signal) =>
      resolve(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`),
    );
  });
  const peer = createPeer(stdioChannel(child.stdout, child.stdin), { lostCode: 'run-lost' });

  return {
    pid: child.pid ?? 0,
    async execute(order, heights, { signal, onProgress, onFact, onView }) {
      peer.onEvent((method, { body, columns }) => {
        if (method === viewEvent) onView?.(body as RunView, columns);
      });
      try {
        const { body } = await peer.call(executeMethod, order, {
          columns: { heights },
          ...(signal === undefined ? {} : { signal }),
          onProgress: (progress) => onProgress?.(progress as Progress),
          onChunk: (message) => onFact(message.body as RunFact, message.columns),
        });
        return body as RunOutcome;
      } catch (error) {
        if (!(error instanceof UnderstoryError) || error.code !== 'run-lost') throw error;
        throw new UnderstoryError('run-lost', `the run process ${await ended}`, { stderr: lines });
      }
    },
    async dispose() {
      peer.close();
      const limit = setTimeout(() => child.kill('SIGKILL'), endLimitMs);
      await ended;
      clearTimeout(limit);
    },
  };
}
