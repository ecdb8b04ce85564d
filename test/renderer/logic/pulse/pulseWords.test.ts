// The page's words about a return: the paper's example of figure 2, mode by mode.
import { describe, expect, it } from 'vitest';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import {
  energyOf,
  type FormedReturn,
  type PulseEcho,
  type PulseHit,
} from '#renderer/logic/pulse/pulseSignal.ts';
import {
  energyShares,
  nothingWords,
  reportWords,
  returnWords,
  type PulseStory,
} from '#renderer/logic/pulse/pulseWords.ts';

/** Five rays of nine on grass about 12.35 m, the brightest of them there; one on the wall at 20 m. */
function hit(ray: number, rangeM: number, intensity: number, objectId = 812): PulseHit {
  return {
    row: ray,
    ray,
    hitNo: 1,
    rangeM,
    intensity,
    rayWeight: 1 / 9,
    weight: 1 / 9,
    objectId,
    classId: 0,
    materialId: 0,
    triangleId: 0,
    incidenceRad: 0,
  };
}
const hits = [
  hit(0, 12.31, 0.2),
  hit(1, 12.33, 0.25),
  hit(2, 12.36, 0.45),
  hit(3, 12.4, 0.3),
  hit(4, 12.4, 0.1),
  hit(5, 20, 0.4, 3),
];
const base: SensorRecipe['returns'] = { mode: 'strongest', signalCutoffM: 1, window: false };
/** Each ray its own echo. */
const single = hits.map((one, index) => echoOf(one.rangeM, [index, index + 1]));
/** The grass as one echo, and the wall. */
const grouped = [echoOf(12.36, [0, 5]), echoOf(20, [5, 6])];

function echoOf(rangeM: number, [from, to]: [number, number], isDetected = true): PulseEcho {
  const strength = hits.slice(from, to).reduce((sum, one) => sum + energyOf(one), 0);
  return { rangeM, strength, from, to, isDetected };
}

function storyOf(returns: SensorRecipe['returns'], echoes: PulseEcho[] = single): PulseStory {
  const nameOf = (id: number): string => (id === 3 ? 'wall-east' : `grass-${id}`);
  return {
    mode: returns.mode,
    returns,
    rays: 9,
    nameOf,
    signal: { hits, unseen: [], lost: 0, echoes },
  };
}

/** A return of the grass as the worker forms it. */
const onGrass: FormedReturn = {
  rangeM: 12.36,
  share: 5 / 9,
  decidingHit: 2,
  echo: 2,
  averaged: null,
  shared: [0, 5],
};
const onWall: FormedReturn = {
  rangeM: 20,
  share: 1 / 9,
  decidingHit: 5,
  echo: 5,
  averaged: null,
  shared: [5, 6],
};

describe('how a return came about', () => {
  it.each([
    [
      'strongest',
      onGrass,
      'The strongest of 6 echoes. Ray 3 of 9 hit grass-812 at 12.360 m. 5 of 9 rays lie within 1 m of it: 56 % of the beam.',
    ],
    [
      'last',
      onWall,
      'The last of 6 echoes. Ray 6 of 9 hit wall-east at 20.000 m. 1 of 9 rays lies within 1 m of it: 11 % of the beam.',
    ],
    [
      'closest',
      { ...onGrass, rangeM: 12.31, decidingHit: 0, echo: 0 },
      'The closest of 6 echoes, not averaged. Ray 1 of 9 hit grass-812 at 12.310 m. 5 of 9 rays lie within 1 m of it: 56 % of the beam.',
    ],
    [
      'first',
      // (12.31 + 12.33 + 12.36 + 2 · 12.40) / 5
      { ...onGrass, decidingHit: 0, echo: 0, averaged: [0, 5] },
      'First: 5 of 9 rays hit at 12.31–12.40 m, within 1 m behind the nearest hit, on grass-812. Range = weighted mean 12.360 m.',
    ],
  ] as [SensorRecipe['returns']['mode'], FormedReturn, string][])('%s', (mode, formed, words) => {
    expect(returnWords(formed, 1, storyOf({ ...base, mode }))).toBe(words);
  });

  it('both of two', () => {
    const story = storyOf({ ...base, mode: 'strongest-and-last' });
    expect(returnWords(onGrass, 1, story)).toContain('The strongest of 6 echoes.');
    expect(returnWords(onWall, 2, story)).toContain('The last of 6 echoes. Ray 6 of 9');
  });

  it('echoes of several rays, and averaging windows', () => {
    const averaged: FormedReturn = { ...onGrass, averaged: [0, 5] };
    const all = { ...base, mode: 'all', rangeResolutionM: 0.5, maxReturns: 2 } as const;
    expect(returnWords({ ...averaged, echo: 0 }, 1, storyOf(all, grouped))).toContain(
      'Echo 1 of 2. 5 of 9 rays hit at 12.31–12.40 m, one maximum of the signal at a resolution of 0.5 m',
    );
    expect(returnWords(averaged, 1, storyOf({ ...base, window: true }))).toContain(
      'within 1 m of it, either side; mostly grass-812. Range = mean by weight 12.360 m.',
    );
  });
});

describe('why nothing was returned', () => {
  const lost = single.map((echo) => ({ ...echo, isDetected: false }));
  it.each([
    [
      { hits: [], unseen: [], lost: 0, echoes: [] },
      base,
      'None of the 9 rays has a hit within range.',
    ],
    [
      { hits: [], unseen: hits, lost: hits.length, echoes: lost },
      { ...base, detectionThreshold: 0.2 },
      'Not detected: a signal of 0.05/m², the strongest, is lost by the threshold of 0.2/m².',
    ],
    [
      { hits: [], unseen: hits, lost: 0, echoes: [] },
      base,
      'Every hit is below the reflectance gate at its range.',
    ],
    [
      { hits, unseen: [], lost: 0, echoes: single },
      base,
      'The return was lost at random (noise.dropOutShare).',
    ],
  ])('%#', (signal, returns, words) => {
    expect(nothingWords({ ...storyOf(returns), signal })).toBe(words);
  });
});

describe('what was reported', () => {
  const recipe = { returns: base } as SensorRecipe;

  it('differs by noise and steps', () => {
    const noisy = {
      ...recipe,
      noise: { rangeSigmaM: 0.01 },
      quantisation: { rangeM: 0.002, azimuthRad: 0 },
    } as SensorRecipe;
    expect(reportWords(12.36, 12.372, noisy)).toBe(
      'Reported as 12.372 m: +12 mm by noise and steps of 2 mm.',
    );
    expect(reportWords(12.36, 12.3601, recipe)).toBe('Reported as 12.360 m.');
  });

  it('is folded', () => {
    expect(reportWords(15, 5, { ...recipe, backfoldM: 10 })).toBe(
      'Reported as 5.000 m: −10.00 m by the range fold at 10 m.',
    );
  });
});

describe('energies', () => {
  it('are parts of all that arrives', () => {
    const shares = energyShares(storyOf(base).signal);
    expect([...shares.values()].reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    expect(energyOf(hits[2])).toBeCloseTo(0.05, 12);
  });
});
