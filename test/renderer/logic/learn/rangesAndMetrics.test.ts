// Curves of ranges and the table of metrics, against closed forms; colours and tables of views.
import { describe, expect, it } from 'vitest';
import { scaleColour } from '#domain/shared/colours.ts';
import {
  beamGroups,
  metricRows,
  metricsCsv,
  type Evaluated,
} from '#renderer/logic/learn/metricRows.ts';
import { distanceRange } from '#renderer/logic/colours/colourRanges.ts';
import {
  heightRange,
  intensityRange,
  keyOf,
  sampleColours,
  sparse,
} from '#renderer/logic/learn/modelColours.ts';
import { gatherCloud } from '#renderer/logic/cloud/cloudTable.ts';
import { distancesText, distanceText } from '#renderer/logic/learn/shownParts.ts';
import { gatherModel } from '#renderer/logic/learn/modelTables.ts';
import { rangeCurves } from '#domain/shared/rangeCurves.ts';

/** Counts of a normal law in bins of one millimetre about `meanMm`. */
function normalCounts(meanMm: number, sigmaMm: number): Uint32Array {
  return Uint32Array.from({ length: 1000 }, (_, bin) => {
    const z = (bin - 499.5 - meanMm) / sigmaMm;
    return Math.round(1e7 * (Math.exp(-0.5 * z * z) / (sigmaMm * Math.sqrt(2 * Math.PI))));
  });
}

function outcomesOf(counts: Uint32Array, missed = 0) {
  return { before: 0, within: counts.reduce((a, b) => a + b, 0), behind: 0, missed };
}

describe('curves of ranges', () => {
  it('are as far apart as two normal laws are: (μ1 − μ2)² / 8σ²', () => {
    const [log, model] = [normalCounts(0, 30), normalCounts(60, 30)];
    const counts = new Uint32Array([...log, ...model]);
    const outcomes = [outcomesOf(log), outcomesOf(model)];
    const [real, drawn] = rangeCurves(['Log', 'm'], outcomes, counts);
    expect(real?.distance).toBeNull();
    // 60² / (8 · 30²); the sum over bins of a millimetre is exact to 1e-4.
    expect(drawn?.distance).toBeCloseTo(0.5, 3);
    expect(drawn?.shares.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9);
  });

  it('count beams without a return', () => {
    const counts = normalCounts(0, 30);
    const [within, missed] = [outcomesOf(counts).within, outcomesOf(counts).within];
    const outcomes = [outcomesOf(counts), outcomesOf(counts, missed)];
    const curves = rangeCurves(['Log', 'm'], outcomes, new Uint32Array([...counts, ...counts]));
    expect(curves[1]).toMatchObject({ missed: 0.5, within: within / (within + missed) });
    // Half of the mass overlaps: Σ √(p · p/2) = 1/√2.
    expect(curves[1]?.distance).toBeCloseTo(0.5 * Math.LN2, 4);
  });

  it('are infinitely far apart without overlap, and empty without beams', () => {
    const none = { before: 0, within: 0, behind: 0, missed: 0 };
    const counts = Uint32Array.from([4, 0, 0, 4]);
    const apart = rangeCurves(
      ['Log', 'm'],
      [
        { ...none, within: 4 },
        { ...none, within: 4 },
      ],
      counts,
    );
    expect(apart[1]?.distance).toBe(Infinity);
    expect(rangeCurves(['Log'], [none], new Uint32Array(2))[0]?.shares).toEqual([0, 0]);
  });
});

const evaluated = (change: Partial<Evaluated>): Evaluated => ({
  file: '/m.ply',
  model: 'voxel',
  elements: 10,
  triangles: 0,
  points: 0,
  beams: 9,
  returns: 8,
  misses: 1,
  hitsDetected: 0.9,
  missesDetected: null,
  sweepM: 0.1,
  cloudM: 0.05,
  negLogL: 4,
  underSampled: 0,
  behind: null,
  bhattacharyya: null,
  parameters: 100,
  classes: [],
  ranges: [],
  classNames: [],
  seconds: 1,
  peakRssBytes: 1,
  histograms: {
    rangeStepM: 1,
    logReturns: [],
    otherReturns: [],
    minDecade: 0,
    decadesPerBin: 1,
    likelihood: [],
  },
  ...change,
});

describe('metrics', () => {
  it('mark the best model of each, and leave out what no model has', () => {
    const rows = metricRows([evaluated({}), evaluated({ hitsDetected: 0.8, sweepM: 0.02 })]);
    const bests = Object.fromEntries(rows.map(({ name, best }) => [name, [...best]]));
    expect(bests).toMatchObject({ 'Hits detected': [0], 'Sweep distance': [1], Elements: [] });
    expect(bests).not.toHaveProperty('Misses detected');
    expect(bests).not.toHaveProperty('Triangles');
    expect(rows.find(({ name }) => name === 'Sweep distance')?.texts).toEqual([
      '10.00 cm',
      '2.00 cm',
    ]);
    expect(metricRows([evaluated({})]).every(({ best }) => best.size === 0)).toBe(true);
  });

  it('are those of a class or range, and of reality against itself', () => {
    const group = {
      beams: 3,
      returns: 3,
      misses: 0,
      hitsDetected: 0.5,
      missesDetected: null,
      behind: 0,
      cloudM: 0.2,
      negLogL: 7,
      underSampled: 0,
    };
    const classes = [{ name: 'grass', ...group }];
    const ranges = [{ fromM: 0, toM: 5, ...group, hitsDetected: 0.25 }];
    const models = [evaluated({ classes, ranges })];
    expect(beamGroups(models).map(({ label }) => label)).toEqual([
      'All beams',
      'Class grass',
      'Range 0 to 5 m',
    ]);
    const hitsOf = (key: string): string | undefined => metricRows(models, key)[0]?.texts[0];
    expect(beamGroups(models).map(({ key }) => hitsOf(key))).toEqual([
      '90.0 %',
      '50.0 %',
      '25.0 %',
    ]);
    const floor = { hitsDetected: 0.95, missesDetected: null, sweepM: 0.01, cloudM: 0.02 };
    const rows = metricRows(models, '', { ...floor, bhattacharyya: null, log: null });
    const floors = Object.fromEntries(rows.map((row) => [row.name, row.floor]));
    expect(floors).toMatchObject({ 'Hits detected': '95.0 %', 'Sweep distance': '1.00 cm' });
    expect(floors).toMatchObject({ '−ln likelihood': '' });
  });

  it('are CSV in SI units', () => {
    const [head = '', line = ''] = metricsCsv([evaluated({ file: '/a, "b".ply' })]).split('\n');
    expect(head.split(',').slice(0, 2)).toEqual(['file', 'model']);
    expect(line).toBe('"/a, ""b"".ply",voxel,10,0,0,9,8,1,0.9,,0.1,0.05,4,0,,');
  });
});

describe('views', () => {
  const cloud = {
    positionsM: Float32Array.from([0, 0, 0, 0, 0, 10]),
  };
  const ranges = { height: [0, 10], intensity: [0, 1], distance: null } as const;

  it('colour samples by height, or what few beams observed', () => {
    const sample = { positionsM: cloud.positionsM, underSampled: Uint8Array.from([1, 0]) };
    const heights = sampleColours(sample, 'height', ranges, 'turbo');
    expect([...heights]).toEqual([...scaleColour('turbo', 0), ...scaleColour('turbo', 1)]);
    expect([...sampleColours(sample, 'support', ranges, 'turbo').subarray(0, 3)]).toEqual([
      ...sparse,
    ]);
    expect(keyOf('height', ranges, 300)).toMatchObject({ from: '300.0', to: '≥ 310.0' });
    expect(keyOf('class', ranges)).toBeNull();
  });

  it('span most heights, and intensities from zero', () => {
    const positionsM = new Float32Array(3000);
    for (let row = 0; row < 1000; row += 1) positionsM[3 * row + 2] = row / 100;
    expect(heightRange(positionsM)).toEqual([0, 10]);
    expect(intensityRange(Float32Array.from({ length: 900 }, (_, at) => at / 1000))).toEqual([
      0, 0.9,
    ]);
    expect(heightRange(new Float32Array(0))).toBeNull();
    const distancesM = Float32Array.from({ length: 900 }, (_, at) => (at < 200 ? NaN : at / 1000));
    expect(distanceRange(distancesM)?.[0]).toBe(0);
    expect(distanceRange(distancesM)?.[1]).toBeCloseTo(0.87, 2);
    expect(distanceRange(Float32Array.of(NaN))).toBeNull();
    expect(keyOf('distance', { ...ranges, distance: [0, 0.87] })).toMatchObject({ to: '≥ 0.87' });
  });

  it('say distances to another cloud', () => {
    expect(distanceText(0.0514)).toBe('distance 0.051 m');
    expect(distanceText(NaN)).toBe('distance above 10 m');
    const distances = { to: 'a'.repeat(64), found: 750, meanM: 0.12, rmsM: 0.2 };
    expect(distancesText({ points: 1000, distances })).toBe(
      'mean 0.120 m · RMS 0.200 m · 25.0 % above 10 m',
    );
    expect(distancesText({ points: 750, distances })).toBe('mean 0.120 m · RMS 0.200 m');
    expect(distancesText({ points: 9, distances: { ...distances, found: 0 } })).toBe(
      'no point is within 10 m',
    );
    expect(distancesText({ points: 9, distances: null })).toBe('');
  });

  it('are joined from chunks, by part', () => {
    const model = gatherModel();
    const observed = {
      permeability: new Float32Array(1),
      reflectance: new Float32Array(1),
      support: Uint32Array.from([7]),
      class_id: new Uint16Array(1),
    };
    for (const x of [1, 2]) {
      const places = { mean: Float32Array.from([x, 0, 0]), factor: new Float32Array(6).fill(x) };
      model.take({ part: 'elements', rows: 1 }, { ...observed, ...places });
    }
    model.take({ part: 'triangles', rows: 1 }, { ...observed, corners: new Float32Array(9) });
    const { elements, triangles, points } = model.joined();
    expect([...elements.meansM]).toEqual([1, 0, 0, 2, 0, 0]);
    expect([...elements.support]).toEqual([7, 7]);
    expect(triangles.cornersM.length).toBe(9);
    expect(points.positionsM.length).toBe(0);
    expect(gatherCloud().joined().positionsM.length).toBe(0);
  });
});
