// Runs commands as the command line does: in this process, or in one of their own that can be killed.
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from '#hosts/cli/commandLine.ts';
import { exitCodes } from '#hosts/cli/exitCodes.ts';

export interface Finished {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** In this process; data and working folder are `folder`. */
export async function runHere(folder: string, ...args: string[]): Promise<Finished> {
  const written = { stdout: '', stderr: '' };
  const exitCode = await runCommandLine(args, {
    output: {
      stdout: (text) => void (written.stdout += text),
      stderr: (text) => void (written.stderr += text),
      isTerminal: false,
      columns: 100,
    },
    environment: { UNDERSTORY_DATA: join(folder, 'data') },
    workingFolder: folder,
    homeFolder: folder,
    stop: new AbortController().signal,
  });
  return { exitCode, ...written };
}

/** Output of a command that must succeed. */
export async function ran(folder: string, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runHere(folder, ...args);
  if (exitCode !== exitCodes.ok)
    throw new Error(`${args.join(' ')} ended with ${exitCode}: ${stderr}`);
  return stdout;
}

/** Output of a command with --json, which must answer; the answer may be negative. */
export async function printedJson<T>(folder: string, ...args: string[]): Promise<T> {
  const { exitCode, stdout, stderr } = await runHere(folder, ...args, '--json');
  if (exitCode !== exitCodes.ok && exitCode !== exitCodes.negative) {
    throw new Error(`${args.join(' ')} ended with ${exitCode}: ${stderr}`);
  }
  return JSON.parse(stdout) as T;
}

/** Drives; returns the id of the run. */
export async function driveHere(folder: string, ...args: string[]): Promise<string> {
  return /run (\S+)/.exec(await ran(folder, 'drive', ...args))?.[1] ?? '';
}

/** The entry of a process of the command line. */
export const mainFile = fileURLToPath(new URL('../../src-main/hosts/cli/main.ts', import.meta.url));

export interface Started {
  child: ChildProcess;
  finished: Promise<Finished>;
  /** Resolves when stderr holds a text that matches. */
  saw: (pattern: RegExp) => Promise<void>;
}

/** In a process of its own. */
export function start(folder: string, ...args: string[]): Started {
  const child = spawn(process.execPath, [mainFile, ...args], {
    cwd: folder,
    env: { ...process.env, UNDERSTORY_DATA: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (data: Buffer) => (written.stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (written.stderr += data.toString()));
  const finished = new Promise<Finished>((resolve) => {
    child.on('close', (exitCode) => resolve({ exitCode, ...written }));
  });
  const saw = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      child.stderr.on('data', () => {
        if (pattern.test(written.stderr)) resolve();
      });
      void finished.then(() => reject(new Error(`it ended before ${pattern}:\n${written.stderr}`)));
    });
  return { child, finished, saw };
}
