// Cancelling `runs pack` while an entry was read ended the process: the ZIP library does not listen to the streams that it is
// given, and a failure without a listener is an uncaught exception.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { drivenRun } from '#test/services/bundles/packedRun.ts';
import { openHost } from '#test/support/host.ts';

it('leaves nothing of a bundle whose packing was cancelled, and packs it afterwards', async () => {
  const folder = temporaryFolder();
  const runId = await drivenRun(folder);
  const { ask } = await openHost(join(folder, 'data'));
  const target = temporaryFolder();
  const request = { runIds: [runId], out: join(target, 'x.understory'), recording: true };
  const controller = new AbortController();
  const progress = ({ phase }: { phase: string }): void => {
    if (phase === 'packing') controller.abort();
  };
  const cancelled = ask('runs.pack', request, { signal: controller.signal, progress });
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  expect(readdirSync(target)).toEqual([]);
  await ask('runs.pack', request);
  expect(existsSync(request.out)).toBe(true);
});
