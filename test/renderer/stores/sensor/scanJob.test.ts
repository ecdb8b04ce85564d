// A scan as a job of the page: null where the user cancelled it, a sentence where its scene was closed meanwhile.
import { expect, it } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import {
  createScanRunner,
  type ScanJob,
  type ScanRunner,
} from '#renderer/stores/sensor/scanJob.ts';
import { fakePage, untilCancelled, type FakePage } from '../pageOf.ts';

const job = { name: 'vlp-16', request: {}, command: null } as unknown as ScanJob;

function pageWithRunner(): { page: FakePage; runner: ScanRunner } {
  const page = fakePage();
  return { page, runner: page.within(() => createScanRunner()) };
}

it('that the user cancels gives nothing', async () => {
  const { page, runner } = pageWithRunner();
  page.answer('scene.scan', untilCancelled().how);
  const scanned = runner.run(job);
  runner.cancel();
  expect(await scanned).toBeNull();
  expect(runner.isScanning.value).toBe(false);
});

it('whose scene is closed reports it', async () => {
  const { page, runner } = pageWithRunner();
  page.answer('scene.scan', () => {
    throw new UnderstoryError('cancelled', 'the scene was closed');
  });
  await expect(runner.run(job)).rejects.toMatchObject({
    code: 'cancelled',
    message: expect.stringContaining('scan again') as string,
  });
});

it('asks for no more rows than the page holds, and has the name of the others', async () => {
  const { page, runner } = pageWithRunner();
  page.answer('scene.scan', (request) => {
    expect(request).toMatchObject({ maxRows: 1_500_000 });
    return { returns: 80_000_000, saved: 'key' };
  });
  const result = await runner.run(job);
  expect(result?.reply).toEqual({ returns: 80_000_000, saved: 'key' });
  expect(result?.table.rows).toBe(0);
});
