// One life of one native worker: spawn, hello, heartbeat, log lines, end. Nothing is brought back here;
// superviseWorker.ts does that. A worker ends with its stdin, so it never outlives this process. Guarantees: no call
// outlasts its cancel for long; a worker that does not end one is ended itself.
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { UnderstoryError } from '#contract/errors.ts';
import { createPeer, type CallOptions, type Message, type Peer } from '#contract/wire/rpc.ts';
import type { Isa, WorkerHello } from '#contract/worker/worker.ts';
import { checkedReply, type WorkerMethodName } from '#contract/worker/workerMethods.ts';
import type { Log } from '#services/ports/system.ts';
import { startHeartbeat } from './heartbeat.ts';
import { passLogLine } from './logLines.ts';
import { lostRank, mpiCommand, type MpiCommand } from './mpiCommand.ts';
import { spawnPiped } from './spawnPiped.ts';
import { stdioChannel } from './stdioChannel.ts';

export interface WorkerProcessOptions {
  /** Absolute path of scanWorker, or of scanWorkerMpi with `ranks`. */
  binary: string;
  /** Processes of an MPI program, each with `threads`; null: one process, without MPI. */
  ranks?: number | null;
  /** null: the best the machine has. */
  isa: Isa | null;
  /** null: one for each core. */
  threads: number | null;
  /** Folder of cached meshes; null: they are always made. */
  cacheFolder: string | null;
  /** Added to the niceness of this process; default: 0. */
  niceness?: number;
  log: Log;
  /** Longest wait for the first hello. */
  helloLimitMs: number;
  /** A worker is asked for a sign of life this often, and killed after `missedBeats` without one. */
  heartbeatMs: number;
  missedBeats: number;
  /** Longest wait for the end of a call that was cancelled; then the worker is killed. */
  cancelLimitMs: number;
  /** Added to the environment. */
  environment?: Record<string, string>;
  /** For workers of an older protocol: how they are called. */
  adapt?: (call: WorkerCall) => WorkerCall;
}

/** One call of a worker and its answer, as they are on the wire. */
export type WorkerCall = Peer['call'];

export interface WorkerProcess {
  readonly hello: WorkerHello;
  readonly pid: number;
  readonly hasEnded: boolean;
  /** Ended by a SIGKILL that was not sent here: on Linux mostly for lack of memory. */
  readonly wasKilledByOthers: boolean;
  /** How it ended, as a sentence, once it has. */
  readonly ended: Promise<string>;
  /** The last lines that it wrote to stderr, oldest first. */
  lastLines(): string[];
  /** Rejects with 'worker-lost' when the process ends first. */
  call(method: WorkerMethodName, body: unknown, options?: CallOptions): Promise<Message>;
  /** Ends it at once; resolves when it is gone. It has nothing to lose: what it holds can be built again. */
  kill(): Promise<void>;
}

const recentLines = 20;
/** Longest wait for ranks to end by themselves. */
const ranksEndMs = 2000;

/**
 * Starts a worker and waits for its hello.
 * @throws UnderstoryError 'unsupported' when the worker is not built or cannot run as asked, 'worker-lost'
 * when it ends or stays silent.
 */
export async function startWorkerProcess(options: WorkerProcessOptions): Promise<WorkerProcess> {
  const { ranks = null, log } = options;
  const started = commandOf(options);
  const environment = { ...process.env, ...started.environment, ...options.environment };
  // Why ranks alone are detached: the niceness of a worker counts within its session (sched_autogroup), and it ignores Ctrl+C.
  const child = spawnPiped(started.command, started.args, environment, ranks !== null);
  // Why: mpirun and srun end their ranks on this signal; killed, they leave them to find out by themselves.
  const endSignal = ranks === null ? 'SIGKILL' : 'SIGTERM';
  const lines: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    lines.push(line);
    if (lines.length > recentLines) lines.shift();
    passLogLine(line, 'scanWorker', log);
  });

  let hasEnded = false;
  let wasKilledByOthers = false;
  let killedBecause: string | null = null;
  let stopHeartbeat = (): void => undefined;
  const ended = new Promise<string>((resolve) => {
    const end = (how: string): void => {
      hasEnded = true;
      log.debug('worker ended', { worker: child.pid, how });
      stopHeartbeat();
      resolve(how);
    };
    child.on('error', (error) => end(`${started.command} could not be started: ${error.message}`));
    child.on('close', (code, signal) => {
      wasKilledByOthers = signal === 'SIGKILL' && killedBecause === null;
      const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
      const rank = ranks === null ? null : lostRank(lines);
      end(killedBecause ?? (rank === null ? `scanWorker ended ${how}` : `the scan ended: ${rank}`));
    });
  });
  const peer = createPeer(stdioChannel(child.stdout, child.stdin));
  const direct: WorkerCall = (...request) => peer.call(...request);
  const ask = options.adapt?.(direct) ?? direct;
  const killBecause = (reason: string): void => {
    killedBecause ??= reason;
    child.kill(endSignal);
  };
  // Why: a worker whose stream is broken or closed can do nothing more, alive or not.
  void peer.closed.then(() => killedBecause ?? child.kill(endSignal));

  const limit = setTimeout(
    () => killBecause(`scanWorker said nothing for ${options.helloLimitMs} ms after its start`),
    options.helloLimitMs,
  );
  let hello: WorkerHello;
  try {
    hello = checkedReply('hello', await ask('hello', {})).body;
  } catch (error) {
    child.kill(endSignal);
    const how = await ended;
    if (error instanceof UnderstoryError && error.code !== 'worker-lost') throw error;
    throw new UnderstoryError('worker-lost', how, { stderr: lines });
  } finally {
    clearTimeout(limit);
  }

  if (!hasEnded) {
    stopHeartbeat = startHeartbeat({
      intervalMs: options.heartbeatMs,
      maxMissed: () => options.missedBeats,
      ask: () => peer.call('hello', {}),
      onSilent: (silentMs) => killBecause(`scanWorker stopped answering for ${silentMs} ms`),
    });
  }

  return {
    hello,
    pid: child.pid ?? 0,
    get hasEnded() {
      return hasEnded;
    },
    get wasKilledByOthers() {
      return wasKilledByOthers;
    },
    ended,
    lastLines: () => [...lines],
    call,
    async kill() {
      if (ranks !== null) {
        // Why first: ranks that end by themselves end without complaints of srun.
        killedBecause ??= 'scanWorker was ended on request';
        child.stdin.end();
        await Promise.race([ended, delay(ranksEndMs, undefined, { ref: false })]);
      }
      killBecause('scanWorker was ended on request');
      await ended;
    },
  };

  /** Logs each call with its duration at level 'debug'. */
  async function call(
    method: string,
    body: unknown,
    callOptions: CallOptions = {},
  ): Promise<Message> {
    const started = performance.now();
    let outcome = 'failed';
    const { signal } = callOptions;
    let limit: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      limit = setTimeout(
        () => killBecause(`scanWorker did not end '${method}' after its cancel`),
        options.cancelLimitMs,
      );
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const message = await ask(method, body, callOptions);
      outcome = 'answered';
      return message;
    } finally {
      clearTimeout(limit);
      signal?.removeEventListener('abort', onAbort);
      const durationMs = Math.round(performance.now() - started);
      log.debug('worker call', { worker: child.pid, method, outcome, durationMs });
    }
  }
}

/** @throws UnderstoryError 'unsupported' */
function commandOf(options: WorkerProcessOptions): MpiCommand {
  const { binary, ranks = null, isa, threads, cacheFolder, niceness = 0 } = options;
  if (!existsSync(binary)) {
    throw new UnderstoryError(
      'unsupported',
      `the native worker is not built: ${binary} is missing`,
    );
  }
  const flags = [
    ...(isa === null ? [] : ['--isa', isa]),
    ...(threads === null ? [] : ['--threads', String(threads)]),
    ...(cacheFolder === null ? [] : ['--cache', cacheFolder]),
    ...(niceness === 0 ? [] : ['--nice', String(niceness)]),
  ];
  if (ranks === null) return { command: binary, args: flags, environment: {} };
  return mpiCommand(ranks, [binary, ...flags], process.env, process.getuid?.() === 0);
}
