// Plans: order, paired seeds, and samples with the distribution that the file states.
import { describe, expect, it } from 'vitest';
import type { Campaign } from '#contract/documents/campaign.ts';
import { axesOf, planRuns, settingText } from '#domain/campaign/planRuns.ts';
import { parseCampaign } from '#domain/scenario/documentText.ts';

function campaign(text: string): Campaign {
  const head = 'understoryCampaign: 1\nname: test\nscenarios: [clearing]\n';
  const { value, problems } = parseCampaign(head + text);
  expect(problems).toEqual([]);
  if (value === null) throw new Error('expected a campaign');
  return value;
}

const threeAxes = `
vary:
  depth: { set: a.b, range: [0, 1], scale: linear }
  grass: { set: c, range: [1, 1000], scale: log }
  tilt: { set: d, normal: { mean: 5, sigma: 2 }, min: 1 }
`;

describe('planRuns', () => {
  it('varies sensors fastest, then the last axis, and seeds slowest', () => {
    const runs = planRuns(
      campaign(`
sensors: [one, two]
vary:
  x: { set: p, values: [1, 2] }
  y: { set: [q, r], values: [on, null] }
seeds: [7, 3]
`),
    );
    expect(runs).toHaveLength(16);
    expect(runs.map(({ index }) => index)).toEqual(runs.map((_, index) => index));
    const [first, second, third] = runs;
    expect(first?.settings).toEqual(['p=1', 'q="on"', 'r="on"']);
    expect([first?.sensor, second?.sensor]).toEqual(['one', 'two']);
    expect(third?.values).toEqual({ x: 1, y: null });
    expect(third?.settings).toEqual(['p=1', 'q=null', 'r=null']);
    expect(runs.slice(0, 8).map(({ seed }) => seed)).toEqual(Array(8).fill(7));
    // Paired: the second half has the same cells.
    const cells = runs.map(({ settings, sensor }) => [...settings, sensor]);
    expect(cells.slice(8)).toEqual(cells.slice(0, 8));
    expect(runs[8]?.replicate).toBe(1);
  });

  it('has one run of a campaign that varies nothing', () => {
    expect(planRuns(campaign('save: { truth: false }'))).toEqual([
      {
        index: 0,
        scenario: 'clearing',
        sensor: null,
        settings: ['recording.truth=false'],
        seed: 1,
        replicate: 0,
        values: {},
      },
    ]);
  });

  it('has both ends of a range, and equal ratios between steps of scale log', () => {
    const text = 'vary:\n  haze: { set: a, range: [0.2, 20], scale: log, steps: 5 }\n';
    const values = planRuns(campaign(text)).map((run) => Number(run.values['haze']));
    expect([values[0], values[4]]).toEqual([0.2, 20]);
    for (const [index, value] of values.entries())
      expect(value).toBeCloseTo(0.2 * 10 ** (index / 2), 10);
  });

  it.each(['random', 'latin-hypercube', 'sobol'])('%s samples follow the distributions', (kind) => {
    const samples = 4096;
    const runs = planRuns(
      campaign(`design: { kind: ${kind}, samples: ${samples}, seed: 2 }${threeAxes}`),
    );
    const column = (axis: string): number[] => runs.map(({ values }) => Number(values[axis]));
    // Kolmogorov and Smirnov: 1.63/√n is exceeded by chance once in a hundred; the sequences are far below.
    const limit = 1.63 / Math.sqrt(samples);
    expect(distance(column('depth'), (x) => x)).toBeLessThan(limit);
    expect(distance(column('grass'), (x) => Math.log(x) / Math.log(1000))).toBeLessThan(limit);
    // Truncated 2 σ below the mean.
    const tilt = column('tilt');
    expect(Math.min(...tilt)).toBeGreaterThanOrEqual(1);
    const above = tilt.filter((value) => value > 5).length / samples;
    expect(Math.abs(above - 0.5 / 0.97725)).toBeLessThan(3 * Math.sqrt(0.25 / samples));
  });

  it('has one latin hypercube sample in each interval of every axis', () => {
    const runs = planRuns(campaign(`design: { kind: latin-hypercube, samples: 100 }${threeAxes}`));
    const cells = new Set(runs.map(({ values }) => Math.floor(Number(values['depth']) * 100)));
    expect(cells.size).toBe(100);
  });

  it('does not change with an axis that is added at the end', () => {
    const design = 'design: { kind: random, samples: 20, seed: 9 }';
    const before = planRuns(campaign(design + threeAxes));
    const after = planRuns(
      campaign(`${design}${threeAxes}  more: { set: e, values: [1, 2, 3] }\n`),
    );
    for (const [index, run] of before.entries()) {
      expect(after[index]?.values).toMatchObject(run.values);
    }
    expect(new Set(after.map(({ values }) => values['more'])).size).toBe(3);
  });

  it('scrambles a sobol sequence without a seed, so that no point is at the end of every axis', () => {
    const points = (design: string) =>
      planRuns(campaign(`design: { kind: sobol, samples: 64${design} }${threeAxes}`));
    expect(points('')).toEqual(points(', seed: 1'));
    // 64 points of a normal distribution: the first unscrambled one would be 38 sigma from the mean.
    const tilts = points('').map(({ values }) => Number(values['tilt']));
    expect(Math.max(...tilts)).toBeLessThan(5 + 4 * 2);
  });

  it('rounds whole values, once each in a grid', () => {
    const text = 'vary:\n  n: { set: a, range: [1, 3], steps: 9, whole: true }\n';
    expect(planRuns(campaign(text)).map(({ values }) => values['n'])).toEqual([1, 2, 3]);
  });

  it('summarises its axes', () => {
    const value = campaign(
      'sensors: [one]\nvary:\n  x: { set: p, values: [1, 2] }\nreplicates: 3\n',
    );
    expect(axesOf(value, planRuns(value))).toEqual([
      { name: 'x', kind: 'values', count: 2, values: [1, 2] },
      { name: 'sensor', kind: 'sensor', count: 1, values: ['one'] },
      { name: 'seed', kind: 'seed', count: 3, values: [1, 2, 3] },
    ]);
  });

  it('writes values that read back as they are', () => {
    expect([1e-9, 'on', true, null].map((value) => settingText('a', value))).toEqual([
      'a=1e-9',
      'a="on"',
      'a=true',
      'a=null',
    ]);
  });
});

/** Kolmogorov and Smirnov's distance. */
function distance(values: readonly number[], cdf: (value: number) => number): number {
  const shares = values.map(cdf).sort((a, b) => a - b);
  return Math.max(
    ...shares.map((share, index) =>
      Math.max(share - index / shares.length, (index + 1) / shares.length - share),
    ),
  );
}
