// The start-up of a campaign and the pauses between its runs, from made-up times whose parts are known.
import { expect, it } from 'vitest';
import { createPaceMeter } from '#services/campaigns/campaignPace.ts';
import type { TimedRun } from '#services/campaigns/executeCampaign.ts';

const planned = { scenario: 'clearing', sensor: 'near', settings: [], seed: 1, seconds: 1 };
const timed = (more: Partial<TimedRun>): TimedRun => ({
  planned,
  recordingBytes: 0,
  isFirst: false,
  sinceS: 1.2,
  wallS: 1,
  buildS: 0,
  ...more,
});

it('is what a call takes beside its runs', () => {
  const meter = createPaceMeter();
  expect(meter.pace(2, 1, 1, 1)).toBeNull();
  // Two processes: 1.8 and 0.8 s beside 1.2 s of a run and its scene.
  meter.take(timed({ isFirst: true, sinceS: 4, buildS: 1 }));
  meter.take(timed({ isFirst: true, sinceS: 4, buildS: 2 }));
  for (let run = 0; run < 5; run += 1) meter.take(timed({}));
  meter.take(timed({ sinceS: 1.7, wallS: 1.5, buildS: 0.5 }));
  const pace = meter.pace(2, 0.5, 0.25, 0.14);
  expect(pace).toMatchObject({ jobs: 2, runs: 6 });
  // The first of eight runs does not count.
  expect(pace?.hostRunS).toBeCloseTo(0.02, 12);
  expect(pace?.startUpS).toBeCloseTo(0.5 + (1.8 + 0.8) / 2 + 0.25, 12);
  expect(pace?.laneFactor).toBeCloseTo((5 * 1.2 + 1.7) / (5 * 1 + 1.5), 12);
});

it('of first runs alone is their time before they began', () => {
  const meter = createPaceMeter();
  meter.take(timed({ isFirst: true, sinceS: 3, wallS: 1 }));
  const pace = { jobs: 1, startUpS: 2.5, laneFactor: 1, runs: 0, hostRunS: 0.1 };
  expect(meter.pace(1, 0.5, 0, 0.1)).toEqual(pace);
});
