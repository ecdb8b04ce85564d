// One Ctrl+C reached a drive twice, from the terminal and passed on by setup.mjs under Node 20, and was
// taken for two: the host left at once and the run stayed interrupted.
import { expect, it } from 'vitest';
import type { RunListItem } from '#contract/host/runQueries.ts';
import { printedJson, start } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

it('one press of Ctrl+C that arrives twice ends a drive cleanly', async () => {
  const folder = temporaryFolder();
  const drive = start(folder, 'drive', 'courtyard');
  await drive.saw(/m to goal/);
  drive.child.kill('SIGINT');
  await drive.saw(/stopping/);
  drive.child.kill('SIGINT');
  await drive.finished;
  const [run] = await printedJson<RunListItem[]>(folder, 'runs', 'list', '--quiet');
  expect(run).toMatchObject({ state: 'cancelled', end: 'cancelled' });
});

// SIGHUP: the terminal was closed.
it.each(['SIGTERM', 'SIGHUP'] as const)('%s ends a drive as cleanly', async (signal) => {
  const folder = temporaryFolder();
  const drive = start(folder, 'drive', 'courtyard');
  await drive.saw(/m to goal/);
  drive.child.kill(signal);
  await drive.saw(/stopping/);
  await drive.finished;
  const [run] = await printedJson<RunListItem[]>(folder, 'runs', 'list', '--quiet');
  expect(run).toMatchObject({ state: 'cancelled', end: 'cancelled' });
});
