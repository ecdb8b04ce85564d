// The log grew without end, and what killed processes left stayed endlessly: journals of locks, beginnings of
// recordings, folders of runs that never began, scratch files.
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createNodeLog } from '#hosts/node/nodeLog.ts';
import { createNodeLogFile } from '#hosts/node/nodeLogFile.ts';
import { createNodeScratchFiles } from '#hosts/node/nodeScratchFiles.ts';
import { ran, runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { finishedRun } from '#test/services/finishedRun.ts';

it('the log takes twice its limit at most, and two processes write on in the same file', async () => {
  const dataFolder = temporaryFolder();
  const [one, other] = [
    createNodeLog({ dataFolder, maxBytes: 20_000 }),
    createNodeLog({ dataFolder, maxBytes: 20_000 }),
  ];
  for (let line = 0; line < 600; line += 1) {
    one.info(`one ${line}`);
    other.info(`other ${line}`);
  }
  const sizes = ['', '.1'].map(
    (ending) => statSync(join(dataFolder, `understory.log${ending}`)).size,
  );
  for (const size of sizes) expect(size).toBeLessThan(25_000);
  expect(readdirSync(dataFolder)).toEqual(['understory.log', 'understory.log.1']);
  const lines = await createNodeLogFile({ dataFolder }).between(0, Infinity);
  const last = lines.slice(-2).map(({ message }) => message);
  expect(last).toEqual(['one 599', 'other 599']);
  expect(lines.length).toBeGreaterThan(250);
});

it('emptying the trash removes what killed processes left, and nothing of a run', async () => {
  const folder = temporaryFolder();
  const dataFolder = join(folder, 'data');
  const { runId } = await finishedRun(dataFolder, { ticks: 2 });
  const runs = join(dataFolder, 'runs');
  const own = ['recording.mcap', 'lock-journal', 'host.lock-journal', 'recording.mcap.part'];
  for (const name of own.slice(1)) writeFileSync(join(runs, runId, name), 'left');
  const [begun, young, other] = ['never-began', 'just-begun', 'holds-something'];
  for (const name of [begun, young, other]) mkdirSync(join(runs, name));
  writeFileSync(join(runs, begun, 'host.lock-journal'), 'left');
  writeFileSync(join(runs, other, 'notes.txt'), "a person's");
  const longAgo = Date.now() / 1000 - 7200;
  for (const name of [begun, other]) utimesSync(join(runs, name), longAgo, longAgo);
  // The first pass changes the folder of the run that never began, and so its age.
  await runHere(folder, 'runs', 'empty');
  utimesSync(join(runs, begun), longAgo, longAgo);
  await ran(folder, 'runs', 'empty');
  expect(readdirSync(join(runs, runId))).toEqual(['recording.mcap']);
  expect(readdirSync(runs).sort()).toEqual([runId, other, young].sort());
  expect(existsSync(join(runs, other, 'notes.txt'))).toBe(true);
});

it('scratch files of processes that are gone are removed with the next', async () => {
  const dataFolder = temporaryFolder();
  mkdirSync(join(dataFolder, 'scratch'));
  const names = ['4194304-left.mcap', 'of-an-older-version.mcap', `${process.pid}-in-use.mcap`];
  for (const name of names) writeFileSync(join(dataFolder, 'scratch', name), 'left');
  await createNodeScratchFiles({ dataFolder }).use('mcap', (file) => {
    expect(existsSync(file)).toBe(false);
    return Promise.resolve();
  });
  expect(readdirSync(join(dataFolder, 'scratch'))).toEqual([`${process.pid}-in-use.mcap`]);
});
