// `understory check` on the command line: what it prints, its exit codes, and a drive under way, which is no damage.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DataReplies } from '#contract/host/dataMethods.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { finishedRun } from '#test/services/finishedRun.ts';
import { printedJson, ran, runHere, start } from '#test/support/commandLine.ts';

it('says what is damaged in a line each, and ends with 9 until it is repaired', async () => {
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  const { runId } = await finishedRun(data, { ticks: 2 });
  const sound = await runHere(folder, 'check', '--quick');
  expect(sound).toMatchObject({ exitCode: 0 });
  expect(sound.stdout).toMatch(/: 1 run, 1 recording; 0 B read, 0 findings\nnothing is damaged\n$/);

  for (const ending of ['', '-wal', '-shm']) {
    rmSync(join(data, `catalogue.sqlite${ending}`), { force: true });
  }
  writeFileSync(join(data, 'a\u001b[31m.txt'), 'x');
  const lost = await runHere(folder, 'check');
  expect(lost.exitCode).toBe(9);
  const lines = lost.stdout.split('\n');
  expect(lines[1]).toBe(
    `damage  run-without-row  runs/${runId}: expected a row in the catalogue, found none`,
  );
  expect(lines[2]).toContain('note    unknown-file  a\\u001b[31m.txt: expected');
  expect(lines[3]).toBe('1 finding can be repaired: understory check --repair');
  expect(lines[4]).toBe('there is damage');

  const repaired = await runHere(folder, 'check', '--repair');
  expect(repaired.stdout).toContain('repaired: add the run to the catalogue from its recording');
  expect(repaired.exitCode).toBe(0);
  await ran(folder, 'check');
  await ran(folder, 'runs', 'show', runId);
});

it('reports a drive under way as such, and nothing as damage', async () => {
  const folder = temporaryFolder();
  const drive = start(folder, 'drive', 'clearing', '--sensor', 'vlp-16', '--seconds', '600');
  const states = async (): Promise<string[]> => {
    const { stdout } = await runHere(folder, 'runs', 'list', '--json');
    return stdout === ''
      ? []
      : (JSON.parse(stdout) as { state: string }[]).map(({ state }) => state);
  };
  await expect.poll(states, { timeout: 120_000, interval: 500 }).toEqual(['running']);
  const check = async (): Promise<DataReplies['data.check']> =>
    await printedJson<never>(folder, 'check', '--repair');
  for (let round = 0; round < 3; round += 1) {
    const { isSound, findings } = await check();
    expect(findings.map(({ kind }) => kind)).toEqual(['run-under-way']);
    expect(isSound).toBe(true);
  }
  drive.child.kill('SIGINT');
  await drive.finished;
  expect(await check()).toMatchObject({ isSound: true, findings: [] });
}, 240_000);
