// A recording that was cut off exported with exit code 0 and fewer points, and the page showed a damaged one as an
// empty scan, or failed as if by a bug.
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toWire } from '#contract/errors.ts';
import { exitCodeOfCode } from '#hosts/cli/exitCodes.ts';
import { ran, runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { finishedRun } from '#test/services/finishedRun.ts';
import { openHost } from '#test/support/host.ts';

const ticks = 6;
const corrupt = exitCodeOfCode('corrupt');

/** How a recording is damaged: the bytes become others, or fewer. */
type Damage = (file: string) => void;

function cutTo(share: number): Damage {
  return (file) => truncateSync(file, Math.floor(statSync(file).size * share));
}

function overwritten(share: number, bytes: number): Damage {
  return (file) => {
    const content = readFileSync(file);
    const from = Math.floor(content.length * share);
    for (let at = from; at < from + bytes; at += 1) content[at] = (content[at] ?? 0) ^ 0xff;
    writeFileSync(file, content);
  };
}

/** Everything from the middle chunk on that looks like a record's head becomes zeros. */
const zeroedRecord: Damage = (file) => {
  const content = readFileSync(file);
  const middle = content.indexOf(Buffer.from('zstd'), Math.floor(content.length / 2));
  const recordStart = middle - 41;
  content.fill(0, recordStart, recordStart + 9);
  writeFileSync(file, content);
};

const damages: [string, Damage][] = [
  ['cut to half', cutTo(0.5)],
  ['cut within the summary', cutTo(0.99)],
  ['one byte in the middle', overwritten(0.5, 1)],
  ['the head of a record zeroed', zeroedRecord],
];

async function damagedRun(damage: Damage): Promise<{ folder: string; runId: string }> {
  const folder = temporaryFolder();
  const { runId, recordingFile } = await finishedRun(join(folder, 'data'), { ticks });
  damage(recordingFile);
  return { folder, runId };
}

it.each(damages)('export and verify refuse a recording that is damaged: %s', async (_, damage) => {
  const { folder, runId } = await damagedRun(damage);
  const out = ['--format', 'csv', '--out', 'cloud.csv'];
  const exported = await runHere(folder, 'runs', 'export', runId, ...out);
  expect(exported.exitCode).toBe(corrupt);
  expect(exported.stderr).toMatch(/recording/);
  expect((await runHere(folder, 'runs', 'verify', runId)).exitCode).toBe(corrupt);
});

it.each(damages)('the page gets the same error, not an empty scan: %s', async (_, damage) => {
  const { folder, runId } = await damagedRun(damage);
  const { ask } = await openHost(join(folder, 'data'));
  const past = { runId, fromS: 0, toS: 10, maxScans: 100, maxPoints: 1000 };
  const codes = await Promise.all(
    [
      () => ask('runs.past', past),
      () => ask('runs.replay', { runId, fromS: 0, speed: 1000, maxPoints: 1000 }),
      () => ask('runs.poses', { runId }),
    ].map(async (call) => {
      try {
        await call();
        return 'none';
      } catch (error) {
        return toWire(error).code;
      }
    }),
  );
  expect(codes[0]).toBe('corrupt');
  // These two read a part: they may not reach the damage.
  for (const code of codes.slice(1)) expect(['none', 'corrupt']).toContain(code);
});

it('a damaged summary costs nothing: the chunks are found without it', async () => {
  const { folder, runId } = await damagedRun(overwritten(0.97, 3));
  const out = ['--format', 'csv', '--out', 'a.csv'];
  await ran(folder, 'runs', 'export', runId, ...out);
  const { ask } = await openHost(join(folder, 'data'));
  const reply = await ask('runs.at', { runId, timeS: 0.3, maxPoints: 1000 });
  expect(reply.returns).toBe(310);
});
