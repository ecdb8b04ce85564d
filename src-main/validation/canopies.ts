// Homogeneous canopies of discs: the share of the rays that pass a layer of known leaf area index and leaf-angle law,
// against exp(−G·LAI/cos θ) and its exact form for a finite number of discs (PHYSICS.md, 4.13).
import type { CanopyMetrics } from '#contract/host/validation.ts';
import { leafAngleLaws, meanProjection } from '#domain/metrics/leafAngles.ts';
import type { LeafAngleLaw } from '#domain/metrics/leafAngles.ts';
import { radians } from '#domain/shared/numbers.ts';
import { mean, standardError } from '#domain/shared/statistics.ts';
import type { ValidationBench } from './bench.ts';
import { within } from './criteria.ts';
import { discAreaM2, discScene, drawDiscs } from './discs.ts';
import type { Experiment } from './experiment.ts';
import { section, type Picture, type Section } from './section.ts';
import { singleLaser, singleRay } from './simpleSensors.ts';
import { obliqueRaster } from './trajectories.ts';

const lawNames = ['spherical', 'planophile', 'erectophile', 'uniform'];
const zenithsDeg = [0, 30, 60];
const leafAreaIndex = 1.5;
/** A disc of 24 sides; its area is that of the polygon. */
const disc = { radiusM: 0.08, sides: 24 };
const { radiusM } = disc;
const areaM2 = discAreaM2(disc);
/** Centres of discs: a layer over a square. */
const [heightM, widthM] = [1, 4.4];
/**
 * Rays cross the middle of the layer within this square: at 60° they reach 0.87 m to either side of it, discs another
 * 0.08 m, all within the centres' square.
 */
const aimedM = 2.4;
const raysPerSide = 40;
const [drawsPerSeed, quickDraws] = [10, 6];
const fromM = heightM + 0.2;

export const canopies: Experiment = {
  name: 'canopies',
  title: 'Homogeneous canopies of discs',
  async run(bench, { isQuick, seeds, onProgress }) {
    const laws = leafAngleLaws.filter(({ name }) => lawNames.includes(name));
    const draws = seeds.flatMap((seed) =>
      Array.from({ length: isQuick ? quickDraws : drawsPerSeed }, (_, draw) => ({ seed, draw })),
    );
    const found: CanopyMetrics[] = [];
    for (const [index, law] of laws.entries()) {
      const passed = zenithsDeg.map((): number[] => []);
      for (const [n, { seed, draw }] of draws.entries()) {
        await bench.build(
          await discScene(bench, disc, drawDiscs({ law, ...layer }, seed, draw + 1000 * index)),
        );
        for (const [at, zenithDeg] of zenithsDeg.entries()) {
          passed[at]?.push(await passingShare(bench, zenithDeg));
        }
        onProgress((index + (n + 1) / draws.length) / laws.length);
      }
      for (const [at, zenithDeg] of zenithsDeg.entries()) {
        found.push(canopyMetrics(law, zenithDeg, passed[at] ?? []));
      }
    }
    return canopiesSection(found, draws.length, await rendering(bench));
  },
};

const discs = Math.round((leafAreaIndex * widthM ** 2) / areaM2);
const layer = { ...disc, widthM, heightM, discs };

function canopyMetrics(
  law: LeafAngleLaw,
  zenithDeg: number,
  shares: readonly number[],
): CanopyMetrics {
  const zenithRad = radians(zenithDeg);
  // The mean over positions and turns of one disc: its shadow along the ray over the square of the centres.
  const shadow = (meanProjection(law, zenithRad) * areaM2) / Math.cos(zenithRad);
  const covered = shadow / widthM ** 2;
  return {
    law: law.name,
    leafAreaIndex: (discs * areaM2) / widthM ** 2,
    discRadiusM: radiusM,
    zenithDeg,
    expected: (1 - covered) ** discs,
    uncorrected: Math.exp(-discs * covered),
    measured: mean(shares),
    standardError: standardError(shares),
  };
}

/** Share of the rays that reach the ground. */
async function passingShare(bench: ValidationBench, zenithDeg: number): Promise<number> {
  const sensor = await bench.sensor(
    singleLaser({
      beam: singleRay,
      range: { minM: 0, maxM: 20 },
      returns: { mode: 'closest', signalCutoffM: 0 },
    }),
  );
  const { columns } = await bench.scan({
    sensor,
    // Over the aimed square at mid-height; ray n passes the middle of its cell.
    ...obliqueRaster(raysPerSide, { sideM: aimedM, fromM, atM: heightM / 2, zenithDeg }),
    seed: 1,
    columns: ['object_id'],
  });
  return columns.object_id.filter((id) => id === 1).length / raysPerSide ** 2;
}

function rendering(bench: ValidationBench): Promise<Picture> {
  return bench.render(
    {
      positionM: [-4.2, -3, 3],
      yawRad: 0.62,
      pitchRad: 0.45,
      verticalFovRad: 0.6,
      widthPx: 560,
      heightPx: 380,
      samplesPerPixel: 16,
    },
    'Discs with the last of the laws, 4.4 × 4.4 m',
  );
}

function canopiesSection(
  found: readonly CanopyMetrics[],
  draws: number,
  picture: Picture,
): Section {
  return section({
    paper: [
      'Of rays with zenith angle θ the share exp(−G(θ)·LAI/cos θ) passes a homogeneous canopy of leaf area index LAI; G is the mean projection of its leaves (Monsi and Saeki 1953; Nilson 1971; Ross 1981 for the leaf-angle laws).',
      'N discs of area A at independent places over the area S: (1 − G·A/(S·cos θ))ᴺ, exactly and for discs of any size, which tends to the exponential for A ≪ S (PHYSICS.md, 4.13).',
    ],
    ours: [
      `${discs} discs with a radius of ${radiusM} m, instanced, in a layer ${heightM} m deep over ${widthM} × ${widthM} m, normals by the law. ${raysPerSide ** 2} parallel rays for each of ${draws} independent draws, law and angle; errors are standard errors of the mean over the draws, and three of them the tolerance.`,
    ],
    charts: [
      {
        title: 'Share of the rays that pass, over the zenith angle',
        x: { name: 'zenith angle', unit: '°', from: 0, to: 65 },
        y: { name: 'share that passes', unit: '', from: 0, to: 0.6 },
        series: lawNames.flatMap((name, n) => {
          const own = found.filter(({ law }) => law === name);
          const colour = ['#3a6ea5', '#c8452f', '#3f8f4f', '#8a5fb0'][n] ?? '#4a4a4a';
          return [
            {
              name,
              kind: 'points' as const,
              colour,
              data: own.map(({ zenithDeg, measured }) => [zenithDeg, measured] as const),
              errors: own.map((each) => 3 * each.standardError),
            },
            {
              name: 'expected',
              kind: 'line' as const,
              colour,
              data: own.map(({ zenithDeg, expected }) => [zenithDeg, expected] as const),
            },
          ];
        }),
        caption: 'Bars: three standard errors.',
      },
    ],
    pictures: [picture],
    tables: [
      {
        title: 'By law and zenith angle',
        columns: ['law', 'θ', 'exp(−G·LAI/cos θ)', 'exact', 'measured', 'standard error'],
        rows: found.map((each) => [
          each.law,
          `${each.zenithDeg}°`,
          each.uncorrected.toFixed(4),
          each.expected.toFixed(4),
          each.measured.toFixed(4),
          each.standardError.toFixed(4),
        ]),
      },
    ],
    criteria: found.map(({ law, zenithDeg, measured, expected, standardError: error }) =>
      within(`share that passes ${law} discs at ${zenithDeg}°`, measured, expected, 3 * error),
    ),
    metrics: { canopies: [...found] },
  });
}
