// Puffs along the ways of vehicles, and how much dust there is in them.
import { describe, expect, it } from 'vitest';
import type { MotionDocument } from '#contract/documents/motion.ts';
import { weatherSchema } from '#contract/documents/weather.ts';
import type { PlumeRecipe } from '#contract/worker/weatherRecipe.ts';
import { dustGPerM, plumeRecipe } from '#domain/scene/wheelDust.ts';
import {
  createDustTrail,
  dustAlong,
  dustOfMotions,
  puffsWithin,
} from '#domain/shared/motion/dustTrail.ts';

const defaults = weatherSchema.parse({ wheelDust: {} }).wheelDust ?? expect.fail();

const still: MotionDocument = {
  kind: 'rotating',
  pivotM: [0, 0, 0],
  axis: [0, 0, 1],
  rateDegPerS: 0,
  phaseDeg: 0,
};

function plume(motions: string[] = []): PlumeRecipe {
  return plumeRecipe({ ...defaults, motions }, { motions: { car: still, loop: still } });
}

interface Puff {
  atM: number[];
  raisedNs: number;
  extinctionM2: number;
}

function puffsIn(numbers: readonly number[]): Puff[] {
  expect(numbers.length % 5).toBe(0);
  return Array.from({ length: numbers.length / 5 }, (_, puff) => {
    const [x = NaN, y = NaN, z = NaN, raisedNs = NaN, extinctionM2 = NaN] = numbers.slice(5 * puff);
    return { atM: [x, y, z], raisedNs, extinctionM2 };
  });
}

describe('emission', () => {
  it('is that of AP-42, 13.2.2, equation 1b, worked out by hand', () => {
    // 1.8 · 8.5/12 · (4.474/30)^0.5 lb a mile at 2 m/s.
    expect(dustGPerM(defaults) * Math.sqrt(2)).toBeCloseTo(0.1388, 4);
    expect(dustGPerM({ ...defaults, siltPercent: 17 })).toBeCloseTo(2 * dustGPerM(defaults), 9);
    const wet = dustGPerM({ ...defaults, moisturePercent: 16 });
    expect(wet).toBeCloseTo(dustGPerM(defaults) / 2, 9);
  });

  it('takes more light the finer the grains are', () => {
    const of = (grains: typeof defaults.grains): number =>
      plumeRecipe({ ...defaults, grains }, {}).raised.extinctionM2PerM;
    expect(of('pm10') / of('5-um')).toBeCloseTo(0.6 / 0.23, 9);
    expect(of('5-um') / of('10-um')).toBeCloseTo(0.23 / 0.11, 9);
  });

  it('drifts with the wind of the scene', () => {
    const wind = { speedMPerS: 4, directionDeg: 90, topM: 0.1, maxLean: 0.3, gusts: 0.5 };
    const [x, y] = plumeRecipe(defaults, { wind: { ...wind, frequencyHz: 2.1 } }).windMPerS;
    expect(x).toBeCloseTo(0, 12);
    expect(y).toBeCloseTo(4, 12);
  });
});

describe('trail of a vehicle', () => {
  it('has a puff for each half metre of way, whatever the steps', () => {
    for (const stepS of [0.01, 0.1, 0.7]) {
      const trail = createDustTrail(plume());
      for (let timeS = 0; timeS <= 7 + 1e-9; timeS += stepS) {
        trail.moveTo(timeS * 1e9, [2 * timeS, 1, 0.5]);
      }
      const puffs = puffsIn(trail.puffsFrom(0));
      expect(puffs).toHaveLength(28);
      for (const [index, { atM, raisedNs, extinctionM2 }] of puffs.entries()) {
        expect(atM[0]).toBeCloseTo(0.25 + 0.5 * index, 6);
        expect(atM.slice(1)).toEqual([1, 0.5]);
        expect(raisedNs).toBeCloseTo(((0.25 + 0.5 * index) / 2) * 1e9, -2);
        expect(extinctionM2).toBeCloseTo(0.1388 * 0.6 * 0.5, 4);
      }
    }
  });

  it('has none of a vehicle that stands or is put elsewhere, and none of long ago', () => {
    const trail = createDustTrail(plume());
    trail.moveTo(0, [0, 0, 0]);
    trail.moveTo(5e9, [0, 0, 0]);
    trail.moveTo(5.01e9, [50, 0, 0]);
    expect(trail.puffsFrom(0)).toEqual([]);
    trail.moveTo(6.01e9, [52, 0, 0]);
    expect(puffsIn(trail.puffsFrom(6e9))).toHaveLength(4);
    expect(trail.puffsFrom(67e9)).toEqual([]);
  });
});

it('a scan gets the puffs of a minute before it', () => {
  const puffs = dustAlong(plume(), [
    { timeNs: 0, positionM: [0, 0, 0] },
    { timeNs: 200e9, positionM: [200, 0, 0] },
  ]);
  const times = puffsIn([...puffsWithin(puffs, { fromNs: 100e9, toNs: 101e9 })]).map(
    ({ raisedNs }) => raisedNs / 1e9,
  );
  expect(times[0]).toBeCloseTo(40.25, 6);
  expect(times.at(-1)).toBeCloseTo(100.75, 6);
});

it('motions raise the same dust whatever interval is scanned, those that are named alone', () => {
  const laws = [
    {
      kind: 'path' as const,
      pointsM: [
        [0, 0, 0],
        [400, 0, 0],
      ] as [number, number, number][],
      speedMPerS: 2,
      startS: 0,
      isClosed: false,
      turnM: 0.5,
    },
    {
      kind: 'rotating' as const,
      pivotM: [0, 0, 0] as [number, number, number],
      axis: [0, 0, 1] as [number, number, number],
      phaseRad: 0,
      rateRadPerS: 1,
    },
  ];
  const over = dustOfMotions(plume(['car']), laws);
  const before = puffsIn(over({ fromNs: 0, toNs: 10e9 }));
  expect(puffsIn(over({ fromNs: 200e9, toNs: 230e9 }))[0]?.raisedNs).toBeGreaterThan(120e9);
  expect(puffsIn(over({ fromNs: 0, toNs: 10e9 }))).toEqual(before);
  expect(before[0]?.atM[0]).toBeCloseTo(0.25, 9);
  const late = puffsIn(over({ fromNs: 100e9, toNs: 100.1e9 }));
  expect(late.filter(({ raisedNs }) => raisedNs < 100e9).length).toBeGreaterThan(160);
  expect(dustOfMotions(plume(), laws)({ fromNs: 0, toNs: 10e9 })).toEqual([]);
});
