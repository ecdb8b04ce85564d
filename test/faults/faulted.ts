// Commands of the command line under faults by call (faults.c), and what is to hold afterwards.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { createRunLocks } from '#catalogue/runLocks.ts';
import { toWire } from '#contract/errors.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { mainFile, runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

export type Call = 'write' | 'sync' | 'rename' | 'truncate' | 'create' | 'unlink' | 'malloc';
export type Fault = 'ENOSPC' | 'EIO' | 'EDQUOT' | 'ENOMEM' | 'short' | 'kill' | 'power';

/** A fault: the process by a part of its command line, kinds of calls, the number of the call, and how. */
export interface FaultPlan {
  process: string;
  calls: readonly Call[];
  at: number;
  how: Fault;
}

export interface Faulted {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
  /** Calls of the process that was meant, each with its file or size; where one failed only that. */
  calls: string[];
}

/** The library, built once a process. */
export function builtFaults(folder: string): string {
  const library = join(folder, 'faults.so');
  const source = fileURLToPath(new URL('faults.c', import.meta.url));
  const flags = ['-shared', '-fPIC', '-O1', '-Wall', '-Wextra', '-Werror'];
  execFileSync('cc', [...flags, '-o', library, source, '-ldl', '-lpthread']);
  return library;
}

/** Runs a command of `understory` over `folder`/data; `folder` and what is below it is where calls count. */
export function runFaulted(
  library: string,
  folder: string,
  args: readonly string[],
  plan: FaultPlan,
): Promise<Faulted> {
  const report = join(folder, '..', 'calls');
  rmSync(report, { force: true });
  const child = spawn(process.execPath, [mainFile, '--quiet', ...args], {
    cwd: folder,
    // A group of its own: a loss of power ends all of it.
    detached: true,
    env: {
      ...process.env,
      UNDERSTORY_DATA: join(folder, 'data'),
      UNDERSTORY_CACHE: join(folder, '..', 'cache'),
      LD_PRELOAD: library,
      FAULTS_FOLDER: folder,
      FAULTS_PROCESS: plan.process,
      FAULTS_CALLS: plan.calls.join(','),
      FAULTS_AT: String(plan.at),
      FAULTS_HOW: plan.how,
      FAULTS_REPORT: report,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  return new Promise((resolve) => {
    child.on('close', (exitCode, signal) => {
      const text = existsSync(report) ? readFileSync(report, 'utf8') : '';
      const calls = text.split('\n').filter((line) => line !== '');
      resolve({ exitCode, signal, stderr, calls });
    });
  });
}

/** A copy of a folder, for one try. */
export function copyOf(folder: string): string {
  const copy = join(temporaryFolder(), 'here');
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/** One sentence and a known exit code; for a process that was killed its signal. */
export function expectClearEnd({ exitCode, signal, stderr }: Faulted, what: string): void {
  const said = `${what}: ${stderr}`;
  if (signal !== null) return expect(signal, said).toBe('SIGKILL');
  // Success, a scene that does not fit, disk full, worker or run lost, locked, damaged, refused by the system, not arrived.
  expect([0, 5, 6, 7, 8, 9, 11, 12], said).toContain(exitCode);
  expect(stderr, said).not.toMatch(/^ +at /m);
}

/** Every run has ended, finished ones have the recordings of these hashes, and the catalogue is whole. */
export async function expectSoundData(
  folder: string,
  finished: Readonly<Record<string, string>>,
  what: string,
): Promise<void> {
  await whenRunsEnded(folder);
  const listed = await runHere(folder, '--quiet', 'runs', 'list', '--json');
  expect(listed.exitCode, `${what}: ${listed.stderr}`).toBe(0);
  const runs = JSON.parse(listed.stdout) as { id: string; state: string }[];
  for (const { id, state } of runs) expect(state, `${what}: ${id}`).not.toBe('running');
  const database = new DatabaseSync(join(folder, 'data/catalogue.sqlite'));
  const checked = database.prepare('PRAGMA integrity_check').all();
  database.close();
  expect(checked, what).toEqual([{ integrity_check: 'ok' }]);
  for (const [id, hash] of Object.entries(finished)) {
    expect(runs, what).toContainEqual(expect.objectContaining({ id, state: 'finished' }));
    expect(hashOf(recordingOf(folder, id)), what).toBe(hash);
  }
  for (const id of readdirSync(join(folder, 'data/runs'))) {
    const file = recordingOf(folder, id);
    if (existsSync(file)) await expectReadable(file, what);
  }
}

/** A run whose host was killed ends by itself, some time after its host. */
async function whenRunsEnded(folder: string): Promise<void> {
  const locks = createRunLocks();
  for (const id of readdirSync(join(folder, 'data/runs'))) {
    const lock = join(folder, 'data/runs', id, 'lock');
    while (locks.isHeld(lock)) await setTimeout(100);
  }
}

export function recordingOf(folder: string, runId: string): string {
  return join(folder, 'data/runs', runId, 'recording.mcap');
}

/** To its last whole chunk; one whose head was not written is refused. */
async function expectReadable(file: string, what: string): Promise<void> {
  try {
    const reader = await createRecordings().open(file);
    try {
      for await (const { rows } of reader.scans()) expect(rows, what).toBeGreaterThanOrEqual(0);
    } finally {
      await reader.close();
    }
  } catch (error) {
    const { code, message } = toWire(error);
    expect(code, `${what}: ${message}`).toBe('corrupt');
    expect(message, what).toMatch(/ends before|is cut off|is no MCAP|holds no run/);
  }
}

export function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** Files below a folder, by their names relative to it, sorted. */
export function filesIn(folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}
