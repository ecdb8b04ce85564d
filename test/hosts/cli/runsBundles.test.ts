// Runs go from one data folder to another, through a bundle, as a recording, or with the whole folder; and are
// simulated again there.
import {
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  copyFileSync,
  renameSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openCatalogue } from '#catalogue/catalogue.ts';
import type { Replies } from '#contract/host/methods.ts';
import { exitCodes } from '#hosts/cli/exitCodes.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { drivenRun, pack, verified } from '#test/services/bundles/packedRun.ts';
import { recordedRun } from '#test/services/recordedRun.ts';
import { callContext } from '#test/support/context.ts';
import { printedJson, ran, runHere } from '#test/support/commandLine.ts';

async function unpack(folder: string, ...files: string[]): Promise<Replies['runs.unpack']> {
  return printedJson<Replies['runs.unpack']>(folder, 'runs', 'unpack', ...files);
}

it('simulates a run of some kilobytes again elsewhere, with equal results', async () => {
  const [here, there] = [temporaryFolder(), temporaryFolder()];
  const runId = await drivenRun(here);
  const bundle = join(there, 'x.understory');
  expect((await pack(here, runId, bundle)).exitCode).toBe(exitCodes.ok);
  expect(statSync(bundle).size).toBeLessThan(10_000);
  // Nothing of the first folder is left, its mesh included.
  rmSync(here, { recursive: true });
  expect(await verified(there, bundle)).toMatchObject({ equal: true, compared: 3 });

  const { runs } = await unpack(there, bundle);
  expect(runs).toMatchObject([{ name: 'Mesh yard', isNew: true, hasRecording: false }]);
  const id = runs[0]?.runId ?? '';
  expect((await unpack(there, bundle)).runs).toMatchObject([{ runId: id, isNew: false }]);
  const shown = await printedJson<object>(there, 'runs', 'show', id);
  expect(shown).toMatchObject({
    state: 'finished',
    end: 'seconds',
    scans: 3,
    isa: expect.any(String) as string,
    origin: { kind: 'bundle', file: 'x.understory', identity: runs[0]?.identity },
  });
  expect(await verified(there, id)).toMatchObject({ equal: true, compared: 3, differs: null });
  // The data folder can be moved: meshes are named from it.
  renameSync(join(there, 'data'), join(there, 'moved'));
  const moved = await runHere(
    there,
    '--data',
    join(there, 'moved'),
    'runs',
    'verify',
    id,
    '--json',
  );
  expect(JSON.parse(moved.stdout)).toMatchObject({ equal: true });
  const again = join(there, 'again.understory');
  await runHere(there, '--data', join(there, 'moved'), 'runs', 'pack', id, '--out', again);
  expect(readFileSync(again).equals(readFileSync(bundle))).toBe(true);
}, 180_000);

it('gives equal runs equal bytes, and adds a recording to a run that came without', async () => {
  const [here, there] = [temporaryFolder(), temporaryFolder()];
  const [first, second] = [await drivenRun(here), await drivenRun(here)];
  const [a, b] = [join(here, 'a.understory'), join(here, 'b.understory')];
  const everything = ['--recording', '--clouds', 'csv,las', '--pictures', '--html'];
  await pack(here, first, a, ...everything);
  await pack(here, second, b, ...everything);
  expect(first).not.toBe(second);
  expect(readFileSync(a).equals(readFileSync(b))).toBe(true);
  expect((await unpack(here, a)).runs).toMatchObject([{ runId: first, isNew: false }]);

  const small = join(here, 'small.understory');
  await pack(here, first, small);
  const { runs } = await unpack(there, small, a);
  const id = runs[0]?.runId ?? '';
  expect(runs).toMatchObject([
    { isNew: true, hasRecording: false },
    { runId: id, isNew: false, hasRecording: true },
  ]);
  for (const args of [
    ['export', id, '--format', 'csv', '--out', 'p.csv'],
    ['scans', id],
  ]) {
    await ran(there, 'runs', ...args);
  }
  expect(await verified(there, id)).toMatchObject({ equal: true, compared: 3 });
  const again = join(there, 'again.understory');
  await pack(there, id, again, ...everything);
  expect(readFileSync(again).equals(readFileSync(a))).toBe(true);
}, 600_000);

it('takes bare recordings and whole data folders', async () => {
  const [here, there, third] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const runId = await drivenRun(here);
  const recording = join(there, 'x.mcap');
  copyFileSync(join(here, 'data/runs', runId, 'recording.mcap'), recording);
  const bare = await unpack(there, recording);
  expect(bare.runs).toMatchObject([{ isNew: true, hasRecording: true }]);
  const whole = await unpack(there, join(here, 'data'));
  expect(whole).toMatchObject({
    runs: [{ runId: bare.runs[0]?.runId, isNew: false }],
    refused: [],
  });
  expect((await unpack(third, join(here, 'data'))).runs).toMatchObject([{ isNew: true }]);

  truncateSync(recording, Math.floor(statSync(recording).size / 2));
  const cut = await runHere(third, 'runs', 'unpack', recording);
  expect(cut).toMatchObject({ exitCode: exitCodes.ok + 9 });
  expect(cut.stderr).toContain('is cut off: its end is missing');
  const catalogue = openCatalogue(join(here, 'data/catalogue.sqlite'));
  catalogue.dispose();
}, 180_000);

it('packs no run that is under way, and leaves no file', async () => {
  const { handlers, dataFolder } = await recordedRun({ ticks: 1, rows: 10 });
  const out = join(temporaryFolder(), 'x.understory');
  const drawings = { pictures: true, page: true };
  const request = {
    runIds: ['run'],
    out,
    isReplacing: false,
    recording: true,
    clouds: [],
    ...drawings,
  };
  await expect(handlers['runs.pack'](request, callContext)).rejects.toMatchObject({
    code: 'locked',
    message: 'run run is under way: stop it first',
  });
  expect(existsSync(out)).toBe(false);
  expect(existsSync(dataFolder)).toBe(true);
});
