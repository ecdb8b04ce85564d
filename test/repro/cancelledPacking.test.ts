// Cancelling `runs pack` while an entry was read ended the process: the ZIP library does not listen to the streams that it is
// given, and a failure without a listener is an uncaught exception.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { requests } from '#contract/host/methods.ts';
import { openUnderstory } from '#hosts/compose.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { drivenRun } from '#test/services/bundles/packedRun.ts';

it('leaves nothing of a bundle whose packing was cancelled, and packs it afterwards', async () => {
  const folder = temporaryFolder();
  const runId = await drivenRun(folder);
  const understory = await openUnderstory({ dataFolder: join(folder, 'data') });
  try {
    const target = temporaryFolder();
    const out = join(target, 'x.understory');
    const request = requests['runs.pack'].parse({ runIds: [runId], out, recording: true });
    const pack = understory.handlers['runs.pack'];
    const controller = new AbortController();
    const context = {
      signal: controller.signal,
      progress: ({ phase }: { phase: string }) => {
        if (phase === 'packing') controller.abort();
      },
      chunk: () => Promise.resolve(),
    };
    await expect(pack(request, context)).rejects.toMatchObject({ code: 'cancelled' });
    expect(readdirSync(target)).toEqual([]);
    const again = { ...context, signal: new AbortController().signal };
    await pack(request, again);
    expect(existsSync(out)).toBe(true);
  } finally {
    await understory.dispose();
  }
});
