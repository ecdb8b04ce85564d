// What the page says about a return: the paper's example of figure 2 in words, mode by mode.
import { describe, expect, it } from 'vitest';
import type { SensorRecipe } from '#contract/worker/recipe.ts';
import {
  energyOf,
  formReturns,
  pulseSignal,
  reflectanceAt,
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
    ...{ row: ray, ray, rangeM, intensity, rayWeight: 1 / 9, weight: 1 / 9, objectId },
    ...{ classId: 0, materialId: 0, triangleId: 0, incidenceRad: 0 },
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
const materials = [
  { name: 'grass', reflectance: 0.5, colourRgb: [0, 0, 0] as [number, number, number] },
];

function storyOf(returns: SensorRecipe['returns'], some = hits): PulseStory {
  const signal = pulseSignal(some, { returns }, materials, null);
  const nameOf = (id: number): string => (id === 3 ? 'wall-east' : `grass-${id}`);
  return { mode: returns.mode, returns, rays: 9, signal, nameOf };
}

function wordsOf(returns: SensorRecipe['returns']): string[] {
  const story = storyOf(returns);
  return formReturns(story.signal, returns, returns.mode).map((formed, index) =>
    returnWords(formed, index + 1, story),
  );
}

describe('how a return came about', () => {
  it.each([
    [
      'strongest',
      'The strongest of 6 echoes. Ray 3 of 9 hit grass-812 at 12.360 m. 5 of 9 rays lie within 1 m of it: 56 % of the beam.',
    ],
    [
      'last',
      'The last of 6 echoes. Ray 6 of 9 hit wall-east at 20.000 m. 1 of 9 rays lies within 1 m of it: 11 % of the beam.',
    ],
    [
      'closest',
      'The closest of 6 echoes, not averaged. Ray 1 of 9 hit grass-812 at 12.310 m. 5 of 9 rays lie within 1 m of it: 56 % of the beam.',
    ],
    [
      'first',
      // (12.31 + 12.33 + 12.36 + 2 · 12.40) / 5
      'First: 5 of 9 rays hit at 12.31–12.40 m, within 1 m behind the nearest hit, on grass-812. Range = weighted mean 12.360 m.',
    ],
  ] as const)('%s', (mode, words) => {
    expect(wordsOf({ ...base, mode })).toEqual([words]);
  });

  it('both of two', () => {
    const [strongest, last] = wordsOf({ ...base, mode: 'strongest-and-last' });
    expect(strongest).toContain('The strongest of 6 echoes.');
    expect(last).toContain('The last of 6 echoes. Ray 6 of 9');
  });

  it('echoes of several rays, and averaging windows', () => {
    const [grouped] = wordsOf({ ...base, mode: 'all', rangeResolutionM: 0.5, maxReturns: 2 });
    expect(grouped).toContain(
      'Echo 1 of 2. 5 of 9 rays hit at 12.31–12.40 m, less than 0.5 m behind its nearest',
    );
    const [windowed] = wordsOf({ ...base, window: true });
    expect(windowed).toContain(
      'within 1 m of it, either side; mostly grass-812. Range = weighted mean 12.360 m.',
    );
  });
});

describe('why nothing was returned', () => {
  it.each([
    [[], base, 'None of the 9 rays has a hit within range.'],
    [
      hits,
      { ...base, detectionThreshold: 0.2 },
      'No echo reaches the threshold of 0.2: the strongest is 0.05.',
    ],
    [
      hits,
      { ...base, gate: { fullToM: 1, noneBeyondM: 10, reflectanceNear: 0.1, reflectanceFar: 1 } },
      'Every hit is below the reflectance gate at its range.',
    ],
  ] as [PulseHit[], SensorRecipe['returns'], string][])('%#', (some, returns, words) => {
    const story = storyOf(returns, some);
    expect(formReturns(story.signal, returns, returns.mode)).toEqual([]);
    expect(nothingWords(story)).toBe(words);
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

  it('are seen by reflectances at the wavelength', () => {
    const spectrum: [number, number][] = [
      [900, 0.4],
      [1000, 0.6],
    ];
    expect(reflectanceAt(spectrum, 950)).toBeCloseTo(0.5, 12);
    expect(reflectanceAt(spectrum, 800)).toBe(0.4);
    expect(reflectanceAt(spectrum, 1550)).toBe(0.6);
    expect(reflectanceAt(0.3, 905)).toBe(0.3);
  });
});
