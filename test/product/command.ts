// Runs a command of the README as a user would: through npm's entry, from a folder of one's own.
import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { projectRoot } from '#test/stages.ts';

export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Started {
  child: ChildProcess;
  finished: Promise<Finished>;
}

const entry = path.join(projectRoot, 'src-main/hosts/cli/setup.mjs');

/** Starts `understory ARGS` in `folder`, with its data in `folder`/data. */
export function startUnderstory(folder: string, args: string[]): Started {
  const child = spawn(process.execPath, [entry, ...args], {
    cwd: folder,
    env: { ...process.env, UNDERSTORY_DATA: path.join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, finished: outputOf(child) };
}

/** Output of a process, once it has ended. */
export function outputOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<Finished> {
  return new Promise((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** Runs it to its end; fails with what it printed unless it exits 0. */
export async function understory(folder: string, args: string[]): Promise<Finished> {
  const result = await startUnderstory(folder, args).finished;
  if (result.code !== 0) {
    throw new Error(`understory ${args.join(' ')} exited with ${result.code}\n${result.stderr}`);
  }
  return result;
}
