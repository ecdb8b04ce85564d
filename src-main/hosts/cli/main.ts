// The command line's process: arguments, terminal and signals to runCommandLine, and its exit code back.
import { homedir } from 'node:os';
import process from 'node:process';
import { restartWithFlags } from './commandFlags.ts';
import { exitCodeOfCode } from './exitCodes.ts';
import { watchLauncher } from './launcher.ts';

/** One press of Ctrl+C may arrive twice: from the terminal, and passed on by npm or setup.mjs. */
const samePressMs = 500;

restartWithFlags();
// Why not above: a process that starts again needs none of it.
const { runCommandLine } = await import('./commandLine.ts');

/** A reader has so long to take some of what it was sent, once the command is over. */
const unreadMs = 1000;

const controller = new AbortController();
/** Frames are on stdout. */
let hasFrames = false;
let firstSignalMs = 0;
process.on('SIGINT', onSignal);
process.on('SIGTERM', onSignal);
// A terminal that is closed.
process.on('SIGHUP', onSignal);
// A reader that has seen enough (`| head`) closes the pipe, a terminal that is closed fails: that is no error.
process.stdout.on('error', onClosedPipe);
process.stderr.on('error', onClosedPipe);
const unwatch = watchLauncher(process.env, () => controller.abort());

process.exitCode = await runCommandLine(process.argv.slice(2), {
  output: {
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY,
    columns: process.stderr.columns > 0 ? process.stderr.columns : 80,
  },
  environment: process.env,
  workingFolder: process.cwd(),
  homeFolder: homeFolder(),
  stop: controller.signal,
  ageS: () => performance.now() / 1000,
  // Why a function: stdin is opened by those alone that read it.
  stdio: () => {
    hasFrames = true;
    return { input: process.stdin, output: process.stdout };
  },
});
if (controller.signal.aborted || hasFrames) endUnread();
unwatch();
process.off('SIGINT', onSignal);
process.off('SIGTERM', onSignal);
process.off('SIGHUP', onSignal);

/** The working folder where the user has no home: no HOME, and no entry in the system's list of users. */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return process.cwd();
  }
}

function onClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
  controller.abort();
}

/** Why: output without a reader would keep the process. Results of other commands have all the time that they take. */
function endUnread(): void {
  let before = process.stdout.writableLength;
  const check = (): void => {
    const { writableLength } = process.stdout;
    if (writableLength === before) process.exit();
    before = writableLength;
  };
  setInterval(check, unreadMs).unref();
}

/** Once: ends cleanly. Twice: at once; what a run process still records is found at the next start. */
function onSignal(): void {
  if (!controller.signal.aborted) {
    firstSignalMs = performance.now();
    controller.abort();
  } else if (performance.now() - firstSignalMs > samePressMs) {
    process.exit(exitCodeOfCode('cancelled'));
  }
}
