// A drive by hand through the whole host: the manual commands are in its recording, so that it can be
// verified, and driven again from the command of another run, byte for byte.
import { expect, it, vi } from 'vitest';
import type { RunView } from '#contract/host/run.ts';
import { openHost } from '#test/support/host.ts';
import { digestOf } from './realRun.ts';

vi.setConfig({ testTimeout: 120_000 });

async function openDrives() {
  const { ask } = await openHost();
  const start = async (change: object): Promise<string> => {
    const request = { scenario: 'clearing', sensor: 'lms-291', isPipelined: true };
    return (await ask('drive.start', { ...request, ...change })).runId;
  };
  const toTheEnd = async (runId: string, onView?: (view: RunView) => void): Promise<string> => {
    const chunk = (body: unknown): Promise<void> => {
      onView?.(body as RunView);
      return Promise.resolve();
    };
    const reply = await ask('drive.watch', { runId, maxPoints: 10 }, { chunk });
    expect(reply).toMatchObject({ state: 'finished', end: 'seconds' });
    const { recordingFile } = await ask('runs.show', { runId });
    return digestOf(recordingFile);
  };
  return { ask, start, toTheEnd };
}

it('is verified, and driven again by its commands', async () => {
  const { ask, start, toTheEnd } = await openDrives();
  const byHand = await start({ seconds: 2, control: 'hand', viewPoints: 10 });
  const views: RunView[] = [];
  const digest = await toTheEnd(byHand, (view) => {
    views.push(view);
    const command = { runId: byHand, speedMPerS: 2, yawRateRadPerS: 0.1 * (views.length % 3) };
    void ask('drive.command', command);
  });
  expect(views.every(({ control, speed }) => control === 'hand' && speed === 1)).toBe(true);
  expect(views.at(-1)?.tick.speedMPerS).toBeGreaterThan(0.5);

  const verified = await ask('runs.verify', { runId: byHand });
  expect(verified).toMatchObject({ equal: true, compared: 20 });

  const again = await start({ commands: byHand });
  expect(await toTheEnd(again)).toBe(digest);
  const autonomous = await start({ seconds: 2 });
  expect(await toTheEnd(autonomous)).not.toBe(digest);
  const refused = await ask('drive.command', { runId: again, speedMPerS: 1, yawRateRadPerS: 0 });
  expect(refused).toEqual({ taken: false });
});

it('refuses places off the map, off the ground and inside objects, at their paths', async () => {
  const { start } = await openDrives();
  const problemsOf = async (change: object): Promise<unknown> =>
    start(change).then(
      () => 'it was started',
      (error: { details?: { problems?: { path: string; message: string }[] } }) =>
        error.details?.problems?.map(({ path, message }) => `${path}: ${message}`),
    );
  expect(await problemsOf({ goalM: [900, 0] })).toEqual([
    expect.stringMatching(/^goalM: expected a place on the/),
  ]);
  // The walls of the clearing are 20 m from its middle.
  expect(await problemsOf({ startM: [20, 0], goalM: [5, 5] })).toEqual([
    expect.stringMatching(/^startM: expected a free place: wall/),
  ]);
});
