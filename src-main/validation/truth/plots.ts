// Gap fractions of plots: level leaves at random, and the same leaves in one half of the plot.
import type { SceneInput } from '#contract/documents/scene.ts';
import { purposes, uniforms } from '#domain/random/philox.ts';
import type { Vector3 } from '#domain/shared/pose.ts';
import { measuredPlot, plotSummary } from '#domain/vegetation/plotStatistics.ts';
import type { PlotSummary } from '#contract/host/truthMethods.ts';
import type { ValidationBench } from '../bench.ts';
import { closedForm, type Measurement } from '../closedForm.ts';
import { formsPiece } from '../parts.ts';
import { withLeaves, type Placed } from '../scenes.ts';

/** The plot is as long as it is wide. */
const plotM = 10;
const leafM = 0.05;
const leaves = 80_000;
const leafAreaIndex = (leaves * leafM ** 2) / plotM ** 2;

/** A leaf that reaches over a side of the plot, once more where the plot repeats itself. */
function repeated([x, y, z]: Vector3): Vector3[] {
  const others = (at: number): number[] => {
    if (at < leafM) return [at, at + plotM];
    return at > plotM - leafM ? [at, at - plotM] : [at];
  };
  return others(x).flatMap((eachX) => others(y).map((eachY): Vector3 => [eachX, eachY, z]));
}

const scene: SceneInput = {
  materials: { leaf: { reflectance: 0.4, part: 'leaf' } },
  models: { leaf: { kind: 'plane', sizeM: [leafM, leafM], material: 'leaf' } },
  instances: [],
};

/** Leaves in [0, widthM) of x, between two heights. */
async function plotOf(
  bench: ValidationBench,
  { widthM, heightsM, seed, rays }: Order,
): Promise<PlotSummary> {
  const places = Array.from({ length: leaves }, (_, n) => {
    const [x, y, z] = uniforms(seed, purposes.truthLeaves, 0, n);
    const at: Vector3 = [x * widthM, y * plotM, heightsM[0] + z * (heightsM[1] - heightsM[0])];
    return repeated(at).map((positionM): Placed => ({ positionM, rotation: [0, 0, 0, 1] }));
  }).flat();
  await bench.build(withLeaves(await bench.scene(scene, 1), 'leaf', places));
  const topM = heightsM[1] + 1;
  const corner: Vector3 = [0, 0, 0];
  const { reply: grid } = await bench.ask('truth.voxels', {
    minM: corner,
    stepM: [plotM, plotM, topM],
    split: [1, 1, 1],
    memoryLimitBytes: 1e9,
  });
  const box = { minM: corner, maxM: [plotM, plotM, topM] satisfies Vector3 };
  const { reply: gaps } = await bench.ask('truth.gaps', { ...box, rays, seed });
  return plotSummary(measuredPlot(plotM ** 2, grid, gaps));
}

interface Order {
  widthM: number;
  heightsM: [number, number];
  seed: number;
  rays: number;
}

/**
 * Standard error of a share that passes: of the rays, and of the places of n leaves, whose logarithm has the variance of
 * a Boolean model, ∫ (exp(λγ(h)) − 1) dh over the area, at most (e^L − 1)·L/n for squares of one size.
 */
function standardErrorOf(share: number, index: number, count: number, rays: number): number {
  const ofRays = (share * (1 - share)) / rays;
  const ofLeaves = share ** 2 * ((Math.exp(index) - 1) * (index / count));
  return Math.sqrt(ofRays + ofLeaves);
}

const zenithSteps = [0, 6, 11, 16];

const atRandom: Measurement = async ({ bench, isQuick, seeds }) => {
  const order = { widthM: plotM, heightsM: [1, 4] as [number, number], rays: isQuick ? 2e5 : 1e6 };
  const plot = await plotOf(bench, { ...order, seed: seeds[0] ?? 1 });
  const passes = (1 - leafM ** 2 / plotM ** 2) ** leaves;
  const error = standardErrorOf(passes, leafAreaIndex, leaves, plot.raysPerZenith);
  const source = 'independent places: (1 − a/A)^n at every zenith angle';
  return [
    closedForm(
      {
        name: 'level leaves at random: leaf area index of the voxels',
        expected: leafAreaIndex,
        tolerance: 1e-6 * leafAreaIndex,
        source: 'area of the leaves over that of the ground',
      },
      plot.leafAreaIndex,
    ),
    ...zenithSteps.map((step) => {
      const { zenithDeg = NaN, leafGapFraction = NaN } = plot.zeniths[step] ?? {};
      const name = `level leaves at random: share of rays that pass at a zenith angle of ${zenithDeg}°`;
      const measured = { measured: leafGapFraction, standardError: error };
      return closedForm({ name, expected: passes, source }, measured);
    }),
    closedForm(
      {
        name: 'level leaves at random: effective leaf area index',
        expected: leafAreaIndex,
        source: 'Miller 1967; without clumping it is the leaf area index',
      },
      { measured: plot.effectiveLeafAreaIndex, standardError: error / passes },
    ),
  ];
};

const inOneHalf: Measurement = async ({ bench, isQuick, seeds }) => {
  const plot = await plotOf(bench, {
    widthM: plotM / 2,
    heightsM: [1, 1.01],
    seed: seeds[0] ?? 1,
    rays: isQuick ? 2e5 : 1e6,
  });
  const inHalf = 2 * leafAreaIndex;
  const dense = Math.exp(-inHalf);
  const passes = 0.5 + 0.5 * dense;
  const error =
    0.5 * standardErrorOf(dense, inHalf, leaves, Infinity) +
    Math.sqrt((passes * (1 - passes)) / plot.raysPerZenith);
  const { leafClumping } = plot.zeniths[0] ?? {};
  return [
    closedForm(
      {
        name: 'the same leaves in one half of the plot: clumping',
        expected: -Math.log(passes) / leafAreaIndex,
        // The sides of the half are half covered over the width of a leaf.
        tolerance: leafM / plotM / leafAreaIndex,
        source: 'half of the rays pass, half meet twice the leaf area: −ln(½ + ½·exp(−2L))/L',
      },
      { measured: leafClumping ?? NaN, standardError: error / passes / leafAreaIndex },
    ),
  ];
};

export const plotTruth = formsPiece({
  name: 'plot truth',
  ours: `Rays from the ground through a plot of ${plotM} m that repeats itself on all sides, with ${leaves} level leaves of ${leafM} m: the share that passes by zenith angle, the leaf area index by Miller's integral, and clumping, which is the ratio of the two.`,
  rows: [atRandom, inOneHalf],
});
