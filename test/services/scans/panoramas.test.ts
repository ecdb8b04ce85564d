// Surveys of a tripod: panoramas at positions, with the real worker.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { radians } from '#domain/shared/numbers.ts';
import { folder, rowsOf, scenario, services, written } from './surveyScenario.ts';

describe('panoramas at positions', () => {
  /** 6 s, 12,000 pulses, 60 lines. */
  const scan = {
    kind: 'panorama',
    pulseRateHz: 4000,
    minElevationDeg: -40,
    maxElevationDeg: 60,
    activeShare: 0.5,
    rateHz: 10,
    rateRangeHz: [3, 20],
    headDegPerSecond: 60,
    maxHeadDegPerSecond: 120,
  };
  const sensor = {
    understorySensor: 3,
    id: 'tripod',
    name: 'Tripod',
    source: 'a test',
    scan,
    range: { minM: 0.5, maxM: 300 },
    beam: { shape: 'circular', divergenceHorizontalMrad: 0.3, divergenceVerticalMrad: 0.3 },
    returns: { mode: 'strongest', signalCutoffM: 1 },
    noise: { rangeSigmaM: 0.01 },
  };
  const place = (x: number, more: object = {}) => ({ positionM: [x, 3, 1.5], ...more });
  const tripods = async (positions: object[], more: object = {}, own: object = sensor) => {
    await written('tripod.yaml', JSON.stringify(own));
    const survey = { kind: 'positions', sensor: 'lidar', mount: {}, ...more, positions };
    return written('panoramas.yaml', scenario(survey, './tripod.yaml'));
  };

  it('each begin with their own head, and number their pulses apart', async () => {
    const file = await tripods([
      place(-8),
      place(4, { headFromDeg: 90, headToDeg: -90, headStepDeg: 12 }),
      place(8, { seconds: 1 }),
      place(-8),
    ]);
    const request = { scenario: file, misses: true };
    const names = [
      ...(['time_ns', 'pulse', 'azimuth_rad', 'elevation_rad', 'range_m', 'z_m'] as const),
    ];
    const { columns, legs, reply } = await rowsOf(request, names);
    // 2000 pulses a second: 6 s, 15 lines of 200, 1 s, 6 s.
    const counts = [12_000, 3000, 2000, 12_000];
    expect((reply.legs as { pulses: number }[]).map(({ pulses }) => pulses)).toEqual(counts);
    const firstOf = (leg: number): number => legs.indexOf(leg);
    const lastOf = (leg: number): number => legs.lastIndexOf(leg);
    const at = (name: (typeof names)[number], row: number): number => columns[name]?.[row] ?? NaN;
    expect([1, 2, 3, 4].map((leg) => at('time_ns', firstOf(leg)))).toEqual([0, 6e9, 7.5e9, 8.5e9]);
    // Every leg begins at the lower end of a line, with its own head.
    for (const [leg, headDeg] of [
      [1, 0],
      [2, 90],
      [3, 0],
      [4, 0],
    ] as const) {
      expect(at('azimuth_rad', firstOf(leg))).toBeCloseTo(radians(headDeg), 6);
      expect(at('elevation_rad', firstOf(leg))).toBeCloseTo(radians(-40), 6);
    }
    // 14 lines and the half of the 15th that is active: 12° a line, clockwise.
    expect(at('azimuth_rad', lastOf(2))).toBeCloseTo(radians(90 - 12 * (14 + 199 / 400)), 5);
    const pulses = columns['pulse'] ?? [];
    expect(new Set(pulses).size).toBe(counts.reduce((sum, count) => sum + count, 0));
    expect(pulses).toEqual(pulses.toSorted((a, b) => a - b));
    // The same panorama at the same place has other noise.
    const ranges = (leg: number): number[] =>
      (columns['range_m'] ?? []).slice(firstOf(leg), lastOf(leg) + 1);
    const differences = ranges(1)
      .map((rangeM, pulse) => Math.abs(rangeM - (ranges(4)[pulse] ?? NaN)))
      .filter((difference) => difference < 0.2);
    const mean = differences.reduce((sum, one) => sum + one, 0) / differences.length;
    // Two normal errors differ by 2 σ/√π; some 6000 of them.
    expect(Math.abs(mean - (2 * 0.01) / Math.sqrt(Math.PI))).toBeLessThan(0.0006);
  });

  it('are one panorama at a pose, too', async () => {
    const file = await tripods([place(0)]);
    const pose = { positionM: [0, 3, 1.5] as [number, number, number], yawDeg: 0, pitchDeg: 0 };
    const request = { scenario: file, pose, sensor: path.join(folder, 'tripod.yaml') };
    const { reply } = await rowsOf({ ...request, misses: true }, ['time_ns']);
    expect(reply.pulses).toBe(12_000);
    await expect(rowsOf({ ...request, sensor: 'vlp-16' }, ['time_ns'])).rejects.toThrow(
      'seconds: expected the simulated time',
    );
  });

  it('of .las join to the bytes of the whole, with a time for every pulse', async () => {
    const file = await tripods([place(-8), place(4, { headStepDeg: 12 })]);
    const whole = path.join(folder, 'tripods.las');
    await services.ask('scan.start', { scenario: file, out: whole, isReplacing: true });
    const parts: string[] = [];
    for (const index of [1, 2, 3]) {
      const out = path.join(folder, `tripods-${index}.las`);
      await services.ask('scan.start', { scenario: file, out, part: { index, of: 3 } });
      parts.push(out);
    }
    const joined = path.join(folder, 'tripods-joined.las');
    await services.ask('scan.join', { parts, out: joined });
    expect((await readFile(joined)).equals(await readFile(whole))).toBe(true);
  });

  it.each<[string, object[], object?, object?]>([
    [
      "survey.positions[1].name: expected a unique name, 'a' is used before",
      [place(0, { name: 'a' }), place(4, { name: 'a' })],
    ],
    [
      "survey.positions[1].name: expected a unique name, 'position-2' is used before",
      [place(0, { name: 'position-2' }), place(4)],
    ],
    ['survey.positions[0].headStepDeg: ', [place(0, { headStepDeg: 0 })]],
    [
      'survey.positions[0].headToDeg: expected another azimuth',
      [place(0, { headFromDeg: 20, headToDeg: 20 })],
    ],
    [
      'survey.positions[1].headStepDeg: expected at most maxHeadDegPerSecond (120)',
      [place(0), place(1, { headStepDeg: 13 })],
    ],
    [
      'scan.maxElevationDeg: ',
      [place(0)],
      {},
      { ...sensor, scan: { ...scan, maxElevationDeg: undefined } },
    ],
  ])('are refused: %s', async (message, positions, more, own) => {
    const file = await tripods(positions, more, own);
    await expect(rowsOf({ scenario: file }, ['time_ns'])).rejects.toThrow(message);
  });

  it('need a sensor with panoramas', async () => {
    const survey = (more: object) => ({ kind: 'positions', sensor: 'lidar', ...more });
    const noTime = await written('no-time.yaml', scenario(survey({ positions: [place(0)] })));
    await expect(rowsOf({ scenario: noTime }, ['time_ns'])).rejects.toThrow(
      "survey.positions[0].seconds: expected seconds here or in the survey: the scans of sensor 'vlp-16' are no panoramas",
    );
    const positions = [place(0, { headFromDeg: 10 })];
    // One that a request chooses is refused for the survey alone.
    const file = await tripods([place(0)]);
    await expect(rowsOf({ scenario: file, sensor: 'vlp-16' }, ['time_ns'])).rejects.toThrow(
      'the sensor cannot run the survey',
    );
    const head = await written('head.yaml', scenario(survey({ seconds: 1, positions })));
    await expect(rowsOf({ scenario: head }, ['time_ns'])).rejects.toThrow(
      'survey.positions[0].headFromDeg: expected only with a panorama',
    );
  });
});
