// The catalogue held the absolute name of each recording: a data folder that was moved lost its recordings, and
// a copy of one silently read those of the original. test/versions/dataFolder.test.ts opens a catalogue of that time.
import { cpSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitCodeOfCode } from '#hosts/cli/exitCodes.ts';
import { runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { finishedRun } from '#test/services/finishedRun.ts';

const ticks = 3;

function exported(folder: string, runId: string) {
  return runHere(
    folder,
    'runs',
    'export',
    runId,
    '--format',
    'csv',
    '--out',
    'cloud.csv',
    '--force',
  );
}

it('exports from a data folder that was moved, and names the recording where it is now', async () => {
  const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()];
  const { runId } = await finishedRun(join(folder, 'data'), { ticks });
  renameSync(join(folder, 'data'), join(elsewhere, 'data'));
  expect(await exported(elsewhere, runId)).toMatchObject({ exitCode: 0 });
  const lines = readFileSync(join(elsewhere, 'cloud.csv'), 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(1 + ticks * 310);
  const { stdout } = await runHere(elsewhere, 'runs', 'show', runId);
  expect(stdout).toContain(join(elsewhere, 'data', 'runs', runId, 'recording.mcap'));
});

it('reads the recording of a copy, not that of the original', async () => {
  const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()];
  const { runId } = await finishedRun(join(folder, 'data'), { ticks });
  cpSync(join(folder, 'data'), join(elsewhere, 'data'), { recursive: true });
  rmSync(join(elsewhere, 'data', 'runs', runId, 'recording.mcap'));
  expect((await exported(elsewhere, runId)).exitCode).toBe(exitCodeOfCode('not-found'));
});

it('reads the recording of a run in the trash', async () => {
  const folder = temporaryFolder();
  const { runId } = await finishedRun(join(folder, 'data'), { ticks });
  await runHere(folder, 'runs', 'delete', runId);
  expect(await exported(folder, runId)).toMatchObject({ exitCode: 0 });
  const { stdout } = await runHere(folder, 'runs', 'show', runId);
  expect(stdout).toContain(join(folder, 'data', 'trash', runId, 'recording.mcap'));
});
