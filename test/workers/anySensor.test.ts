// Sensors drawn at random from all that a sensor file can say: each gives the same bytes on any number of
// threads, in any chunks and intervals, and returns that keep to its limits.
import { hasSeveralReturns, returnModes } from '#contract/documents/sensorReturns.ts';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { returnColumnNames } from '#contract/columns.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { sensorSchema } from '#contract/documents/sensor.ts';
import { compileSensor } from '#domain/sensor/compileSensor.ts';
import { seededRandom } from '#test/recordings/samples.ts';
import { compileScenario, openWorker, scanRows, standingAt } from './realWorker.ts';

type SensorDocument = z.input<typeof sensorSchema>;

const seeds = Array.from({ length: 60 }, (_, index) => index + 1);
const trajectory = standingAt(0, 0, 1.2);

const optics = await compileScenario('optics');
const { worker: one } = await openWorker(optics, { threads: 1 });
const { worker: three } = await openWorker(optics, { threads: 3 });

describe('any sensor', () => {
  it.each(seeds)('number %i is the same however it is scanned', async (seed) => {
    const random = seededRandom(seed);
    const sensor = anySensor(random);
    const toNs = Math.round((1.7 / sensor.scan.rateHz) * 1e9);
    const middleNs = Math.round(toNs * (0.2 + 0.6 * random()));
    const order = { sensor, trajectory, misses: random() < 0.5, seed: 5 };
    const whole = await scanRows(one, { ...order, toNs });
    expect(await scanRows(three, { ...order, toNs, chunkPulses: 50 })).toEqual(whole);
    const before = await scanRows(three, { ...order, toNs: middleNs });
    const after = await scanRows(one, { ...order, fromNs: middleNs, toNs });
    for (const name of returnColumnNames) {
      expect([...before[name], ...after[name]], name).toEqual(whole[name]);
    }
    for (const [row, returnNo] of whole.return_no.entries()) {
      if (returnNo === 0) continue;
      const at = (name: keyof typeof whole): number => whole[name][row] ?? NaN;
      expect(at('true_range_m')).toBeGreaterThanOrEqual(sensor.minRangeM);
      expect(at('true_range_m')).toBeLessThanOrEqual(sensor.maxRangeM);
      expect(at('intensity')).toBeGreaterThanOrEqual(0);
      expect(at('beam_share')).toBeGreaterThanOrEqual(0);
      expect(at('beam_share')).toBeLessThanOrEqual(1 + 1e-5);
      const reportedM = Math.hypot(at('x_sensor_m'), at('y_sensor_m'), at('z_sensor_m'));
      expect(Math.abs(reportedM - at('range_m'))).toBeLessThan(1e-5 * (1 + reportedM));
    }
  });
});

type Random = () => number;

function anySensor(random: Random): SensorRecipe {
  const scan = anyScan(random);
  const banks = scan.kind === 'image' ? [] : anyBanks(random);
  const sensor = sensorSchema.parse({
    understorySensor: 3,
    id: 'any',
    name: 'any',
    source: 'drawn at random',
    scan,
    banks,
    range: {
      minM: pick(random, [0, 1, 6]),
      maxM: pick(random, [9, 20, 100]),
      ...(random() < 0.2 && { backfoldM: 5 }),
    },
    beam: anyBeam(random),
    wavelengthNm: pick(random, [532, 905, 1550]),
    radiometry: pick(random, ['relative', 'radar-equation']),
    returns: anyReturns(random),
    noise: {
      laserBiasSigmaM: pick(random, [0, 0.03]),
      rangeSigmaM: pick(random, [0, 0.02]),
      incidenceSigmaM: pick(random, [0, 0.001]),
      rangeSigmaPerM: pick(random, [0, 0.001]),
      signalSigmaM: pick(random, [0, 0.0001]),
      pointingSigmaMrad: pick(random, [0, 1]),
      dropOutShare: pick(random, [0, 0, 0.3]),
    },
    quantisation: { rangeM: pick(random, [0, 0.04]), azimuthDeg: pick(random, [0, 0.09]) },
  } satisfies SensorDocument);
  const clock = { phaseMs: pick(random, [0, 3.7]), offsetMs: 1, driftPpm: 5 };
  const { value } = compileSensor(sensor, { stream: 1, clock });
  if (value === null) throw new Error('expected a recipe');
  return value;
}

function anyScan(random: Random): SensorDocument['scan'] {
  const rateHz = pick(random, [1, 7.3, 10, 50]);
  const slots = pick(random, [1, 2, 63, 64, 65, 100, 333]);
  const [least, greatest] = [-90 * random(), 90 * random()];
  return pick<SensorDocument['scan']>(random, [
    { kind: 'spinning', rateHz, slotsPerRevolution: slots },
    { kind: 'spinning', rateHz, slotsPerSecond: slots * rateHz * 1.37 },
    { kind: 'sweep', rateHz, minAzimuthDeg: least, maxAzimuthDeg: greatest, slotsPerScan: slots },
    { kind: 'mirror', rateHz, minAngleDeg: least, maxAngleDeg: greatest, slotsPerScan: slots },
    {
      kind: 'image',
      rateHz,
      columns: pick(random, [1, 3, 64, 65]),
      rows: pick(random, [1, 2, 17]),
      horizontalFovDeg: 10 + 150 * random(),
    },
  ]);
}

function anyBanks(random: Random): NonNullable<SensorDocument['banks']> {
  return Array.from({ length: pick(random, [1, 2, 3]) }, (_, bank) => {
    const lasers = Array.from({ length: pick(random, [1, 2, 5]) });
    return {
      name: `bank-${bank}`,
      elevationsDeg: lasers.map(() => -30 + 40 * random()),
      ...(random() < 0.3 && { azimuthOffsetsDeg: lasers.map(() => -10 + 20 * random()) }),
      ...(random() < 0.3 && { firingOffsetsUs: lasers.map(() => 1000 * random()) }),
    };
  });
}

function anyBeam(random: Random): SensorDocument['beam'] {
  const shape = pick(random, ['circular', 'rectangular', 'elliptical'] as const);
  const divergence = pick(random, [0, 0.5, 5, 50]);
  const spot = {
    shape,
    divergenceHorizontalMrad: divergence,
    divergenceVerticalMrad: shape === 'circular' ? divergence : divergence / 3,
  };
  const stencil = pick(random, ['moment', 'goodin2018', 'rays'] as const);
  if (stencil !== 'rays') return { ...spot, stencil };
  const sampling = pick(random, ['stratified', 'random'] as const);
  const table: [number, number][] = [
    [0, 1],
    [1, 0.5],
    [2, 0],
  ];
  return {
    ...spot,
    stencil,
    rays: {
      count: pick(random, [1, 2, 7, 64, 200]),
      sampling,
      profile: pick(random, ['uniform' as const, 'gaussian' as const, table]),
      dither: sampling === 'stratified' && random() < 0.5,
    },
  };
}

function anyReturns(random: Random): SensorDocument['returns'] {
  const mode = pick(random, returnModes);
  const resolutionsM = hasSeveralReturns(mode) ? [0.3, 2] : [0, 0, 0.3, 2];
  return {
    mode,
    signalCutoffM: pick(random, [0, 0.5, 10]),
    window: random() < 0.3,
    maxReturns: pick(random, [1, 3, 16]),
    detectionThreshold: pick(random, [0, 0, 1e-5, 0.1]),
    ...(random() < 0.2 && {
      gate: { fullToM: 4, noneBeyondM: 15, reflectanceNear: 0.1, reflectanceFar: 0.8 },
    }),
    ...(random() < 0.3
      ? { waveform: { binNs: pick(random, [0.5, 1, 3]), pulseWidthNs: pick(random, [1, 4, 20]) } }
      : { rangeResolutionM: pick(random, resolutionsM) }),
  };
}

function pick<T>(random: Random, options: readonly T[]): T {
  return options[Math.floor(random() * options.length)] as T;
}
