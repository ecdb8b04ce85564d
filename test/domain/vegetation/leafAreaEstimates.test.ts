// Estimators of leaf area density on free paths whose law is known.
import { describe, expect, it } from 'vitest';
import { oneLeafM2 } from '#contract/documents/leafDiscs.ts';
import type { BeamSums } from '#domain/vegetation/beamSums.ts';
import { purposes, uniforms } from '#domain/random/philox.ts';
import { mean, standardError } from '#domain/shared/statistics.ts';
import {
  createEstimateSums,
  leafAreaEstimates,
  leafAreaRow,
} from '#domain/vegetation/leafAreaEstimates.ts';

const none: BeamSums = {
  beams: 0,
  lines: 0,
  hits: 0,
  pathM: 0,
  lineM: 0,
  freeM: 0,
  effectiveM: 0,
  hitEffectiveM: 0,
  potentialM: 0,
};

/** A beam through a voxel: its line, its length up to its end, the share of it that met a leaf there. */
function withBeam(
  sums: BeamSums,
  lineM: number,
  pathM: number,
  share: number,
  G: number,
): BeamSums {
  return {
    beams: sums.beams + 1,
    lines: sums.lines + 1,
    hits: sums.hits + share,
    pathM: sums.pathM + pathM,
    lineM: sums.lineM + lineM,
    freeM: sums.freeM + G * pathM,
    effectiveM: sums.effectiveM + G * pathM,
    hitEffectiveM: sums.hitEffectiveM + share * G * pathM,
    potentialM: sums.potentialM + G * lineM,
  };
}

const [density, G] = [2, 0.5];

/** Voxels of a turbid medium; of each hit the beam has `share` of its width, so that hits are 1/share as frequent. */
function turbid(
  voxels: number,
  beams: number,
  lineOf: (u: number) => number,
  share = 1,
): BeamSums[] {
  return Array.from({ length: voxels }, (_, voxel) => {
    let sums = none;
    for (let beam = 0; beam < beams; beam += 1) {
      const [u, v] = uniforms(3, purposes.canopyDiscs, voxel, beam);
      const lineM = lineOf(u);
      const freeM = (-Math.log(v) * share) / (G * density);
      sums = withBeam(sums, lineM, Math.min(freeM, lineM), freeM < lineM ? share : 0, G);
    }
    return sums;
  });
}

const unequal = (u: number): number => 0.1 + 0.8 * u;

describe('in a turbid medium', () => {
  const found = turbid(4000, 40, unequal).map((sums) => leafAreaEstimates(sums, 30));
  const likelihoods = found.map(({ likelihood }) => likelihood);

  it('maximum likelihood has no bias at 40 beams of unequal paths', () => {
    const values = likelihoods.map((each) => each.density);
    expect(Math.abs(mean(values) - density)).toBeLessThan(4 * standardError(values));
  });

  it('contact frequency has the bias of a ratio', () => {
    const values = found.map(({ contact }) => contact.density);
    const bias = mean(values.map((value, n) => value - (likelihoods[n]?.density ?? NaN)));
    expect(bias).toBeGreaterThan(0.01);
    expect(Math.abs(mean(values) - bias - density)).toBeLessThan(4 * standardError(values));
  });

  it('standard errors are those of the estimates', () => {
    const ratios = turbid(4000, 400, unequal).map((sums) => {
      const { likelihood } = leafAreaEstimates(sums, 30);
      return (likelihood.density - density) / likelihood.standardError;
    });
    const variance = mean(ratios.map((ratio) => ratio ** 2));
    // χ²/4000 has the deviation 0.022; errors that vary with the estimate add some 1/150 for each hit.
    expect(Math.abs(variance - 1)).toBeLessThan(0.09);
  });

  it('Beer and Lambert agree for equal paths', () => {
    const values = turbid(2000, 400, () => 0.5).map((sums) => {
      return leafAreaEstimates(sums, 30).beerLambert.density;
    });
    // Bias of a logarithm: I/(2N(1 − I)) over G·L (Pimont 2018).
    const share = 1 - Math.exp(-G * density * 0.5);
    const bias = share / (2 * 400 * (1 - share)) / (G * 0.5);
    expect(Math.abs(mean(values) - bias - density)).toBeLessThan(4 * standardError(values));
  });
});

it('the size of leaves is corrected exactly for a given number of leaves', () => {
  // n leaves at independent places: the share (1 − λ₁·z)^n passes; equal paths, so many beams that nothing is random.
  const [leaves, ofLeaf, lineM] = [20, 0.1, 1];
  const passes = (z: number): number => (1 - ofLeaf * z) ** leaves;
  const effective = (z: number): number => -Math.log(1 - ofLeaf * z) / ofLeaf;
  const steps = 20_000;
  let [freeM, effectiveM, hitEffectiveM] = [0, 0, 0];
  for (let step = 0; step < steps; step += 1) {
    const [from, to] = [(step / steps) * lineM, ((step + 1) / steps) * lineM];
    const z = (from + to) / 2;
    const hits = passes(from) - passes(to);
    freeM += hits * z;
    effectiveM += hits * effective(z);
    hitEffectiveM += hits * effective(z);
  }
  freeM += passes(lineM) * lineM;
  effectiveM += passes(lineM) * effective(lineM);
  const beams = 1e9;
  const hits = beams * (1 - passes(lineM));
  const { contact, likelihood } = leafAreaEstimates(
    {
      beams,
      lines: beams,
      hits,
      pathM: 0,
      lineM: 0,
      potentialM: beams * lineM,
      freeM: beams * freeM,
      effectiveM: beams * effectiveM,
      hitEffectiveM: beams * hitEffectiveM,
    },
    30,
  );
  expect(likelihood.density / (leaves * ofLeaf)).toBeCloseTo(1, 6);
  expect(contact.density / (leaves * ofLeaf)).toBeGreaterThan(1.02);
});

it('few beams, no passing beam and no line are not known', () => {
  const few = Array.from({ length: 29 }).reduce<BeamSums>(
    (sums) => withBeam(sums, 1, 1, 0, G),
    none,
  );
  expect(leafAreaEstimates(few, 30).contact.density).toBeNaN();
  const enough = leafAreaEstimates(withBeam(few, 1, 1, 0, G), 30);
  expect(enough.contact).toEqual({ density: 0, standardError: 1 / 15 });
  expect(enough.likelihood.density).toBe(0);
  const opaque = leafAreaEstimates(withBeam(none, 1, 0.5, 1, G), 1);
  expect(opaque.contact.density).toBe(4);
  expect(opaque.beerLambert.density).toBeNaN();
  expect(leafAreaRow(none, 30, NaN).occludedShare).toBeNaN();
});

it('totals count kinds of voxels, area and errors', () => {
  const sums = createEstimateSums(0.5);
  const known = withBeam(withBeam(none, 1, 1, 0, G), 1, 0.5, 1, G);
  sums.add(leafAreaRow(known, 1, 1));
  sums.add(leafAreaRow(known, 3, 1));
  sums.add(leafAreaRow({ ...none, lineM: 2 }, 1, 1));
  sums.add(leafAreaRow(none, 1, 1));
  const { voxels, occludedShare, leafAreaM2: area, errors } = sums.totals(true);
  expect(voxels).toEqual({ known: 1, fewBeams: 1, occluded: 1, unseen: 1 });
  expect(occludedShare).toBeCloseTo(1 - 3 / 6, 12);
  const contact = 1 / (G * 1.5);
  expect(area.contact).toBeCloseTo(contact / 8, 12);
  expect(errors?.contact.relativeBias).toBeCloseTo(contact - 1, 12);
  expect(errors?.contact.rmse).toBeCloseTo(contact - 1, 12);
  expect(errors?.contact.relativeRmse).toBeCloseTo(contact - 1, 12);
  expect(sums.totals(false).errors).toBeNull();
});

it('errors are over the mean truth of the voxels that an estimator knows', () => {
  const sums = createEstimateSums(0.5);
  const known = withBeam(withBeam(none, 1, 1, 0, G), 1, 0.5, 1, G);
  const { density } = leafAreaRow(known, 1, 1).contact;
  for (const truth of [density - 1, density + 3]) sums.add(leafAreaRow(known, 1, truth));
  sums.add(leafAreaRow(known, 3, 100));
  const { contact } = sums.totals(true).errors ?? {};
  expect(contact?.relativeBias).toBeCloseTo(density / (density + 1) - 1, 12);
  expect(contact?.rmse).toBeCloseTo(Math.sqrt((1 + 9) / 2), 12);
  expect(contact?.relativeRmse).toBeCloseTo(Math.sqrt(5) / (density + 1), 12);
  const empty = createEstimateSums(0.5);
  empty.add(leafAreaRow(known, 1, 0));
  const { contact: ofNone } = empty.totals(true).errors ?? {};
  expect(ofNone).toMatchObject({ relativeBias: null, relativeRmse: null });
});

it('a leaf is a disc of its size', () => {
  expect(oneLeafM2(0.1)).toBeCloseTo(Math.PI * 0.0025, 12);
});
