// Catalogue and locks with real processes: two that write at once, and some that are killed by SIGKILL.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { createRunLocks } from '#catalogue/runLocks.ts';
import { openSqlite } from '#catalogue/sqlite.ts';
import { seededRandom } from '#test/recordings/samples.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const locks = createRunLocks();

/** Starts a child and waits until it is at work. */
async function start(...args: string[]): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('./child.ts', import.meta.url));
  const child = spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [text] = (await once(child.stdout, 'data')) as [Buffer];
  expect(text.toString()).toContain('ready');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

test('a lock is held against every process until its own dies', async () => {
  const file = join(temporaryFolder(), 'run.lock');
  expect(locks.isHeld(file)).toBe(false);
  const child = await start('lock', file);
  expect(locks.isHeld(file)).toBe(true);
  expect(() => locks.acquire(file)).toThrow(expect.objectContaining({ code: 'locked' }));
  await kill(child);
  expect(locks.isHeld(file)).toBe(false);
  const lock = locks.acquire(file);
  expect(locks.isHeld(file)).toBe(true); // within one process too
  expect(() => locks.acquire(file)).toThrow(expect.objectContaining({ code: 'locked' }));
  lock.release();
  expect(locks.isHeld(file)).toBe(false);
});

test('three processes make one catalogue at once', async () => {
  const args = ['open', temporaryFolder(), String(Date.now() + 3000)];
  const children = await Promise.all([start(...args), start(...args), start(...args)]);
  await Promise.all(children.map(async (child) => child.exitCode ?? once(child, 'exit')));
  expect(children.map((child) => child.exitCode)).toEqual([0, 0, 0]);
});

test('two processes write at once and nothing is lost', async () => {
  const file = join(temporaryFolder(), 'catalogue.sqlite');
  const children = await Promise.all([start('count', file, '0'), start('count', file, '1000')]);
  await Promise.all(children.map(async (child) => child.exitCode ?? once(child, 'exit')));
  expect(children.map((child) => child.exitCode)).toEqual([0, 0]);
  const catalogue = openCatalogue(file);
  expect(catalogue.runs()).toHaveLength(400);
  catalogue.dispose();
});

test('a host killed while it writes leaves whole transactions and a sound file', async () => {
  const file = join(temporaryFolder(), 'catalogue.sqlite');
  const random = seededRandom(5);
  for (let round = 0; round < 4; round++) {
    const child = await start('write', file, String(round * 1000));
    await new Promise((resolve) => setTimeout(resolve, random() * 300));
    await kill(child);
    const database = openSqlite(file, { timeoutMs: 1000 });
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(database.pragma('foreign_key_check')).toEqual([]);
    // addScan is one transaction: no scan without its classes
    const orphans =
      'SELECT count(*) FROM scans WHERE scan_key NOT IN (SELECT scan_key FROM scan_classes)';
    expect(database.prepare(orphans).pluck().get()).toBe(0);
    database.close();
    const catalogue = openCatalogue(file);
    const last = catalogue.runs({ limit: 1 })[0];
    expect(last?.state).toBe('running');
    if (last !== undefined) catalogue.markInterrupted(last.id, 'the host died', 1);
    expect(catalogue.runs({ state: 'interrupted' }).length).toBe(round + 1);
    catalogue.dispose();
  }
});
