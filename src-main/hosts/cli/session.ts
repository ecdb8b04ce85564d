// Access of one command to the handlers: the same requests, checks and answers as every other front end, in
// process. Opened for a command, gone after it.
import type { Readable, Writable } from 'node:stream';
import type { Columns } from '#contract/columns.ts';
import type { Method, Replies, RequestInputOf } from '#contract/host/methods.ts';
import type { Progress } from '#contract/worker/worker.ts';
import { openUnderstory, type Understory, type UnderstoryConfig } from '#hosts/compose.ts';
import { cacheFolderOf, dataFolderOf } from '#hosts/dataFolder.ts';
import { logLevelOf } from '#hosts/logLevel.ts';
import { dispatch, type Answer } from '#services/handlers.ts';
import { createTerminal, type Output, type Terminal } from './terminal.ts';

/** The parts of its process that a command line uses. */
export interface Surroundings {
  output: Output;
  environment: Record<string, string | undefined>;
  workingFolder: string;
  homeFolder: string;
  /** Aborted by the first SIGINT: end cleanly and keep the results so far. */
  stop: AbortSignal;
  /** Wall time since the start of the process; left out: it does other work than the command. */
  ageS?: () => number;
  /** The process's own stdin and stdout, for `serve --stdio`; left out: there are none. */
  stdio?: () => { input: Readable; output: Writable };
}

/** Options of every command. */
export interface SharedOptions {
  data?: string;
  quiet?: boolean;
  logLevel?: string;
}

export interface CallListeners {
  onChunk?: (body: unknown, columns: Columns) => void | Promise<void>;
  /** Default: the command's own stop. */
  signal?: AbortSignal;
}

export interface Session {
  surroundings: Surroundings;
  terminal: Terminal;
  understory: Understory;
  /** Progress goes to the terminal. @throws UnderstoryError */
  call: <M extends Method>(
    method: M,
    request: RequestInputOf<M>,
    listeners?: CallListeners,
  ) => Promise<Answer<Replies[M]>>;
}

/** Opens Understory on the data folder that options and environment name, works, and closes it. */
export async function withSession<T>(
  surroundings: Surroundings,
  options: SharedOptions,
  work: (session: Session) => Promise<T>,
  config: Pick<UnderstoryConfig, 'isRecoveryAwaited' | 'isCatalogueNeeded'> = {},
): Promise<T> {
  const { output, stop } = surroundings;
  const terminal = createTerminal(output, { isQuiet: options.quiet === true });
  const understory = await openUnderstory({
    dataFolder: dataFolderOf({ ...surroundings, option: options.data }),
    cacheFolder: cacheFolderOf(surroundings),
    logLevel: logLevelOf({ ...surroundings, option: options.logLevel }),
    ...config,
    onWarning: (message) => terminal.say(`warning: ${message}`),
  });
  for (const runId of understory.recovered) {
    terminal.say(`run ${runId} had been interrupted; what it had recorded is kept`);
  }
  try {
    return await work({
      surroundings,
      terminal,
      understory,
      call: (method, request, { onChunk, signal = stop } = {}) =>
        dispatch(understory.handlers, method, request, {
          signal,
          progress: (progress) => terminal.progress(() => phaseText(progress)),
          chunk: async (body, columns) => onChunk?.(body, columns),
        }),
    });
  } finally {
    await understory.dispose();
  }
}

/** 'placing plants: 45 %'. */
function phaseText({ phase, done, total }: Progress): string {
  const name = phaseNames[phase] ?? phase;
  return total > 0 ? `${name}: ${Math.floor((100 * done) / total)} %` : `${name} …`;
}

/** Names of the worker's phases on screen. */
const phaseNames: Record<string, string> = {
  check: 'checking runs',
  trial: 'executing some runs to estimate the others',
  models: 'making models',
  reading: 'reading a mesh',
  vertices: 'placing vertices',
  triangles: 'joining triangles',
  growing: 'growing a plant',
  scatters: 'scattering plants',
  building: 'building models',
  instances: 'placing instances',
  'top-level': 'building the scene',
  scan: 'scanning',
  picture: 'tracing the picture',
  bench: 'measuring',
};
