// Estimators of leaf area density on scans of homogeneous discs, against the exact leaf area of the same voxels; their
// errors by the size of voxels and leaves and by occlusion (PHYSICS.md, 2.14 and 4.21).
import { oneLeafM2 } from '#contract/documents/leafDiscs.ts';
import type { Criterion, EstimatorMetrics } from '#contract/host/validation.ts';
import { leafAngleLaws, meanProjection, type LeafAngleLaw } from '#domain/metrics/leafAngles.ts';
import { radians } from '#domain/shared/numbers.ts';
import { rotationFromDegrees } from '#domain/shared/pose.ts';
import { mean } from '#domain/shared/statistics.ts';
import { leafAreaRow, type LeafAreaRow } from '#domain/vegetation/leafAreaEstimates.ts';
import { beamSumsOf } from '#domain/vegetation/beamSums.ts';
import type { ValidationBench } from './bench.ts';
import { above, within } from './criteria.ts';
import { discAreaM2, discScene, drawDiscs, type DiscLayer } from './discs.ts';
import type { Experiment } from './experiment.ts';
import { recordLog } from './learned/logs.ts';
import { section, type Section } from './section.ts';
import { singleLaser, singleRay } from './simpleSensors.ts';
import { raster } from './trajectories.ts';

const lawNames = ['spherical', 'planophile'];
const densities = [0.5, 1.5];
const zenithsDeg = [0, 45];
const sides = 16;
const leafSizeM = 0.06;
const voxelM = 0.4;
/** Extent of the centres of discs. */
const [widthM, heightM] = [4, 1.8];
/** Voxels lie in this box in the layer. */
const box = { minM: [-0.8, -0.8, 0.1] as const, sizeM: 1.6 };
const fromM = heightM + 0.2;
const spacingM = 0.025;
/** Wide at the middle of the layer: 1.2 leaves. */
const wideBeamMrad = (1000 * 1.2 * leafSizeM) / (fromM - heightM / 2);
/** Voxels with fewer beams are left out of the criteria, and are not known in the tables. */
const [judgedBeams, knownBeams] = [100, 30];
const tolerance = 0.05;
const [drawsPerSeed, quickDraws] = [6, 4];

/** Leaves and voxels of the tables of errors. */
const leafSizesM = [0.03, 0.06, 0.12];
const voxelSizesM = [0.2, 0.4, 0.8];
const occlusions: [number, number][] = [
  [0, 0.33],
  [0.33, 0.66],
  [0.66, 1],
];

type Beam = EstimatorMetrics['beam'];

interface Case {
  law: LeafAngleLaw;
  density: number;
  leafSizeM: number;
  zenithDeg: number;
  beam: Beam;
  voxelSizesM: readonly number[];
  /** Voxels by their occlusion; left out: all, those with `judgedBeams`. */
  byOcclusion: boolean;
}

export const estimators: Experiment = {
  name: 'estimators',
  title: 'Leaf area density from beams',
  async run(bench, { isQuick, seeds, onProgress }) {
    const cases = casesOf(isQuick);
    const draws = seeds.flatMap((seed) =>
      Array.from({ length: isQuick ? quickDraws : drawsPerSeed }, (_, draw) => ({ seed, draw })),
    );
    const found: EstimatorMetrics[] = [];
    for (const [index, each] of cases.entries()) {
      const voxels = new Map<number, Voxel[]>();
      for (const [n, { seed, draw }] of draws.entries()) {
        await scanVoxels(bench, each, { seed, stream: draw + 1000 * index }, voxels);
        onProgress((index + (n + 1) / draws.length) / cases.length);
      }
      found.push(...metricsOf(each, voxels).filter((metrics) => metrics.voxels > 0));
    }
    return estimatorsSection(found, draws.length);
  },
};

function casesOf(isQuick: boolean): Case[] {
  const laws = leafAngleLaws.filter(({ name }) => lawNames.includes(name));
  const judged = { leafSizeM, voxelSizesM: [voxelM], byOcclusion: false };
  const homogeneous = laws.flatMap((law) =>
    densities.flatMap((density) =>
      zenithsDeg.map((zenithDeg): Case => ({ ...judged, law, density, zenithDeg, beam: 'ray' })),
    ),
  );
  const [law] = laws;
  if (law === undefined) return homogeneous;
  const dense = { law, density: 1.5, zenithDeg: 45 };
  const wide = (['share', 'whole'] as const).map((beam): Case => ({ ...judged, ...dense, beam }));
  const errors = leafSizesM.map((sizeM): Case => ({
    ...dense,
    leafSizeM: sizeM,
    voxelSizesM,
    byOcclusion: true,
    beam: 'ray',
  }));
  return [...homogeneous, ...wide, ...(isQuick ? [] : errors)];
}

interface Voxel {
  row: LeafAreaRow;
  /** m² in 1 m³. */
  truth: number;
}

/** Adds the voxels of one draw to those of their size. */
async function scanVoxels(
  bench: ValidationBench,
  each: Case,
  { seed, stream }: { seed: number; stream: number },
  voxels: Map<number, Voxel[]>,
): Promise<void> {
  const layer = layerOf(each);
  const scene = await discScene(bench, layer, drawDiscs(layer, seed, stream));
  await bench.build(scene);
  const { zenithDeg, beam, law } = each;
  const sensor = await bench.sensor(
    singleLaser({
      ...(beam === 'ray' ? { beam: singleRay } : { divergenceMrad: wideBeamMrad }),
      range: { minM: 0, maxM: 20 },
      returns: { mode: 'all', signalCutoffM: 0, rangeResolutionM: 0.01, maxReturns: 9 },
    }),
  );
  await bench.scratch.use('log', async (file) => {
    await recordLog(bench, {
      file,
      sensor,
      seed,
      ...rasterOf(zenithDeg),
      classes: scene.recipe.classes,
      volumes: new Set([scene.recipe.classes.indexOf('leaf')]),
      returns: beam === 'share' ? 'all' : 'first',
    });
    for (const sizeM of each.voxelSizesM) {
      const perSide = Math.round(box.sizeM / sizeM);
      const grid = {
        minM: [...box.minM] as [number, number, number],
        split: [perSide, perSide, perSide] as [number, number, number],
        memoryLimitBytes: 1e9,
      };
      const truth = await bench.ask('truth.voxels', { ...grid, stepM: [sizeM, sizeM, sizeM] });
      const beams = await bench.ask('log.voxels', {
        ...grid,
        logs: [file],
        voxelM: sizeM,
        leafAngles: law.name,
        oneLeafM2: oneLeafM2(each.leafSizeM),
      });
      const areas = truth.chunks.flatMap(({ columns }) => [...columns.leaf_area_m2]);
      const rows = beams.chunks.flatMap(({ body, columns }) =>
        Array.from({ length: body.rows }, (_, row) => beamSumsOf(columns, row)),
      );
      const known = voxels.get(sizeM) ?? [];
      const minBeams = each.byOcclusion ? knownBeams : judgedBeams;
      for (const [n, sums] of rows.entries()) {
        // A disc has two faces.
        const density = (areas[n] ?? NaN) / 2 / sizeM ** 3;
        known.push({ row: leafAreaRow(sums, minBeams, density), truth: density });
      }
      voxels.set(sizeM, known);
    }
  });
}

function layerOf({ law, density, leafSizeM: sizeM }: Case): DiscLayer {
  const disc = { radiusM: sizeM / 2, sides };
  const discs = Math.round((density * widthM ** 2 * heightM) / discAreaM2(disc));
  return { law, ...disc, widthM, heightM, discs };
}

/** Parallel beams through the whole box. */
function rasterOf(zenithDeg: number): ReturnType<typeof raster> {
  const slope = Math.tan(radians(zenithDeg));
  const lowM = fromM - box.minM[2];
  const [alongM, acrossM] = [box.sizeM + box.sizeM * slope, box.sizeM];
  return raster(
    Math.ceil(acrossM / spacingM),
    Math.ceil(alongM / spacingM),
    (row, beam) => [
      box.minM[0] - lowM * slope + (beam + 0.5) * spacingM,
      box.minM[1] + (row + 0.5) * spacingM,
      fromM,
    ],
    rotationFromDegrees(0, 90 - zenithDeg, 0),
  );
}

function metricsOf(each: Case, bySize: ReadonlyMap<number, Voxel[]>): EstimatorMetrics[] {
  const { law, zenithDeg, beam, density } = each;
  return [...bySize].flatMap(([sizeM, voxels]) =>
    (each.byOcclusion ? occlusions : [[0, 1] as [number, number]]).map((occluded) => {
      const [from, to] = occluded;
      const own = voxels.filter(({ row }) => row.occludedShare >= from && row.occludedShare <= to);
      return {
        law: law.name,
        leafAreaDensity: density,
        leafSizeM: each.leafSizeM,
        zenithDeg,
        voxelM: sizeM,
        beam,
        occluded,
        voxels: own.filter(({ row }) => !Number.isNaN(row.contact.density)).length,
        contact: ratioOf(own, 'contact'),
        likelihood: ratioOf(own, 'likelihood'),
        beerLambert: ratioOf(own, 'beerLambert'),
        expectedBeerLambert: expectedBeerLambert(each, sizeM),
        errorRatio: errorRatioOf(own),
      };
    }),
  );
}

/** Mean estimate over mean truth, of the voxels that the estimator knows. */
function ratioOf(voxels: readonly Voxel[], name: 'contact' | 'likelihood' | 'beerLambert'): number {
  const known = voxels.filter(({ row }) => !Number.isNaN(row[name].density));
  const sum = (of: (voxel: Voxel) => number): number =>
    known.reduce((all, voxel) => all + of(voxel), 0);
  return sum(({ row }) => row[name].density) / sum(({ truth }) => truth);
}

function errorRatioOf(voxels: readonly Voxel[]): number {
  const squares = voxels.flatMap(({ row: { likelihood }, truth }) => {
    const ratio = (likelihood.density - truth) / likelihood.standardError;
    return Number.isNaN(ratio) ? [] : [ratio ** 2];
  });
  return Math.sqrt(mean(squares));
}

/**
 * Lines that cross a square at 45° are of any length up to its diagonal d, equally often: −ln((1 − exp(−kd))/(kd)) over
 * k·d/2; vertical ones are of one length.
 */
function expectedBeerLambert({ law, density, zenithDeg }: Case, sizeM: number): number {
  if (zenithDeg === 0) return 1;
  const depth = meanProjection(law, radians(zenithDeg)) * density * sizeM * Math.SQRT2;
  return -Math.log(-Math.expm1(-depth) / depth) / (depth / 2);
}

function criteriaOf(each: EstimatorMetrics): Criterion[] {
  const { law, leafAreaDensity, zenithDeg, beam, expectedBeerLambert: expected } = each;
  const named = `${law} discs of ${leafAreaDensity} m²/m³, beams at ${zenithDeg}°`;
  if (beam === 'whole') {
    return [above(`${named}, as wide as leaves, counted whole: estimate`, each.likelihood, 1.1)];
  }
  const kind = beam === 'share' ? ', as wide as leaves, by their share' : '';
  return [
    within(`${named}${kind}: contact frequency`, each.contact, 1, tolerance),
    within(`${named}${kind}: maximum likelihood`, each.likelihood, 1, tolerance),
    ...(beam === 'ray'
      ? [within(`${named}: Beer and Lambert`, each.beerLambert, expected, tolerance)]
      : []),
  ];
}

function estimatorsSection(found: readonly EstimatorMetrics[], draws: number): Section {
  const judged = found.filter(({ occluded: [from, to] }) => from === 0 && to === 1);
  const errors = found.filter((each) => !judged.includes(each));
  const numbers = ({ contact, likelihood, beerLambert }: EstimatorMetrics): string[] =>
    [contact, likelihood, beerLambert].map((value) => value.toFixed(3));
  return section({
    paper: [
      'Free paths in a canopy of leaf area density λ are exponential with G·λ (Nilson 1971). Contact frequency: hits over Σ G·z (Warren Wilson 1960; Béland 2011). Maximum likelihood of free paths, with the corrections for few beams and for the size of leaves (Pimont 2018). Beer and Lambert: −ln(1 − hits/beams) over the mean of G·L.',
    ],
    ours: [
      `Discs of ${leafSizeM} m in a layer of ${widthM} × ${widthM} × ${heightM} m; parallel beams ${spacingM} m apart; voxels of ${voxelM} m with at least ${judgedBeams} beams, in ${draws} draws. Ratios are the mean estimate over the mean of the exact leaf area of the same voxels (PHYSICS.md, 2.13).`,
      `Beams of nine rays, 1.2 leaves wide: all returns count as their share of the beam, and the rest as a beam without a return. The first return, counted as the whole beam, gives too much.`,
    ],
    tables: [
      {
        title: 'Estimate over truth, homogeneous discs',
        columns: [
          ...['law', 'm²/m³', 'θ', 'beam', 'voxels', 'contact frequency', 'maximum likelihood'],
          ...['Beer and Lambert', 'expected of it', 'error / SE'],
        ],
        rows: judged.map((each) => [
          ...[each.law, String(each.leafAreaDensity), `${each.zenithDeg}°`, each.beam],
          ...[String(each.voxels), ...numbers(each)],
          each.expectedBeerLambert.toFixed(3),
          each.errorRatio.toFixed(2),
        ]),
      },
      ...(errors.length === 0
        ? []
        : [
            {
              title: 'Estimate over truth by the size of leaves and voxels and by occlusion',
              columns: [
                ...['leaf', 'voxel', 'occluded', 'voxels', 'contact frequency'],
                ...['maximum likelihood', 'Beer and Lambert'],
              ],
              rows: errors.map((each) => [
                ...[`${each.leafSizeM} m`, `${each.voxelM} m`, each.occluded.join('–')],
                ...[String(each.voxels), ...numbers(each)],
              ]),
              caption: `Spherical, 1.5 m²/m³, beams at 45°; voxels with at least ${knownBeams} beams.`,
            },
          ]),
    ],
    criteria: judged.flatMap(criteriaOf),
    metrics: { estimators: [...found] },
  });
}
