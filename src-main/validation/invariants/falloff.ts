// How power falls with distance (`radar-equation`): on a wall that fills the spot as R⁻², on a wire across
// it as R⁻³, on a patch smaller than it as R⁻⁴; the latter two in the mean over dithered rays.
import { weightedSlope } from '#domain/metrics/lineFit.ts';
import { about, closedForm, form, worst, type Measurement } from '../closedForm.ts';
import { within } from '../criteria.ts';
import { openLaboratory, type Laboratory } from '../laboratory.ts';
import { formsPiece, worstOf, type Part, type Piece } from '../parts.ts';
import { extinctionPerM } from '../receiver/airLaws.ts';
import { grey, solids, wall } from '../scenes.ts';
import type { TitledChart } from '../section.ts';
import { laserSlotNs, singleLaser } from '../simpleSensors.ts';
import { stationary } from '../trajectories.ts';

const divergenceMrad = 3;
const wireDiameterM = 0.002;
const patchM = 0.004;
const raysPerPulse = 1000;
/** 10⁶ sub-rays at each distance. */
const pulses = 1000;

interface Target {
  name: string;
  shortName: string;
  /** Its position along y; its face is at x = 0. */
  atM: number;
  exponent: number;
  tolerance: number;
  isDithered: boolean;
  /** Σ wᵢIᵢ of a pulse by geometry: what the target covers of the spot, in 1/m². */
  powerAt10M: number;
  /** Tolerance of the ratio: four standard errors of the rays that meet the target. */
  powerTolerance: number;
}

const reflectance = 0.5;
/** Radius of the spot at 10 m. */
const spotRadiusM = 10 * Math.tan(divergenceMrad / 2000);
const spotM2 = Math.PI * spotRadiusM ** 2;

const targets: Target[] = [
  // Rays are the same at every distance: what is left are roundings of 32-bit intensities, 6e-8 each, over
  // ln 10, and of 32-bit ranges.
  {
    name: 'wall, fixed rays',
    shortName: 'wall',
    atM: 0,
    exponent: -2,
    tolerance: 1e-5,
    isDithered: false,
    // The nine rays lie up to 1 mrad off the axis: cosines and lengths differ by 1e-6.
    powerAt10M: reflectance / 10 ** 2,
    powerTolerance: 5e-6,
  },
  // Hits at R are n ∝ 1/R, 8.5e4 of 1e6 at 10 m: by the formula at `fitted` the slope over 11 distances has
  // σ = 0.0025; strata lessen it. That the spot's outline is curved where the wire crosses it adds 3e-4.
  {
    name: 'wire of 2 mm',
    shortName: 'wire',
    atM: 100,
    exponent: -3,
    tolerance: 0.01,
    isDithered: true,
    // Its strip of the spot, 2·radius long and d wide, with the mean cosine of a cylinder, π/4; 8.5e4 rays with cosines
    // that scatter by 0.28 of their mean, and 7e-4 of curvature.
    powerAt10M:
      (((reflectance * Math.PI) / 4) * (2 * spotRadiusM * wireDiameterM)) / spotM2 / 10 ** 2,
    powerTolerance: 4 * Math.sqrt((1 + 0.28 ** 2) / 8.5e4) + 7e-4,
  },
  // n ∝ 1/R², 2.3e4 at 10 m: σ = 0.008.
  {
    name: 'patch of 4 mm',
    shortName: 'patch',
    atM: 200,
    exponent: -4,
    tolerance: 0.05,
    isDithered: true,
    powerAt10M: (reflectance * patchM ** 2) / spotM2 / 10 ** 2,
    powerTolerance: 4 / Math.sqrt(2.3e4),
  },
];

export const falloff: Piece = {
  name: 'falloff',
  catches: ['fourth-power'],
  async run(bench, options) {
    const laboratory = openLaboratory(bench, options);
    const distances = distancesM(options.isQuick ? 5 : 11);
    const found: Fall[] = [];
    for (const target of targets) {
      for (const seed of target.isDithered ? options.seeds : options.seeds.slice(0, 1)) {
        found.push(await measure(laboratory, target, distances, seed));
      }
    }
    return partOf(found);
  },
};

/** From 10 to 100 m, evenly on a logarithmic scale. */
function distancesM(count: number): number[] {
  return Array.from({ length: count }, (_, n) => 10 * 10 ** (n / (count - 1)));
}

const scene = solids([
  { shape: { kind: 'box', sizeM: [0.1, 10, 10] }, material: grey, positionM: [0.05, 0, 0] },
  {
    shape: { kind: 'cylinder', radiusM: wireDiameterM / 2, heightM: 10, sides: 32 },
    material: grey,
    positionM: [wireDiameterM / 2, 100, -5],
  },
  {
    shape: { kind: 'box', sizeM: [0.001, patchM, patchM] },
    material: grey,
    positionM: [0.0005, 200, 0],
  },
]);

interface Fall {
  target: Target;
  seed: number;
  /** Mean power of a pulse, pulses without echo included. */
  power: [distanceM: number, power: number][];
  slope: number;
}

async function measure(
  { fire }: Laboratory,
  target: Target,
  distances: readonly number[],
  seed: number,
): Promise<Fall> {
  const { isDithered, atM } = target;
  const sensor = singleLaser({
    divergenceMrad,
    ...(isDithered && { beam: { stencil: 'rays', rays: { count: raysPerPulse, dither: true } } }),
    radiometry: 'radar-equation',
    // All hits of a pulse are one echo.
    returns: { mode: 'strongest', rangeResolutionM: 1 },
  });
  const power: Fall['power'] = [];
  for (const [n, distanceM] of distances.entries()) {
    const fired = await fire({
      scene,
      sensor,
      path: {
        trajectory: stationary({ positionM: [-distanceM, atM, 0], rotation: [0, 0, 0, 1] }),
        // Every distance has pulses of its own, and so rays of its own.
        fromNs: n * pulses * laserSlotNs,
        toNs: (n * pulses + (isDithered ? pulses : 1)) * laserSlotNs,
      },
      seed,
      columns: ['intensity'],
    });
    const sum = fired.intensity.reduce((before, each) => before + each, 0);
    power.push([distanceM, sum / fired.pulses]);
  }
  return { target, seed, power, slope: fitted(power, target.exponent) };
}

/**
 * Slope of ln P over ln R. With n rays on a target ln P has the variance 1/n; n ∝ R⁻¹ on a wire, R⁻² on a
 * patch: weights R^(k + 2) for the exponent k. With x = ln R, σ² = 1 / Σ n (x − x̄)².
 */
function fitted(power: Fall['power'], exponent: number): number {
  return weightedSlope(
    power.map(([distanceM, each]) => [
      Math.log(distanceM),
      Math.log(each),
      distanceM ** (exponent + 2),
    ]),
  );
}

function partOf(found: readonly Fall[]): Part {
  const shown = targets.map((target) => ({
    target,
    falls: found.filter((fall) => fall.target === target),
  }));
  return {
    ours: [
      `Power over distance, radar-equation, γ = ${divergenceMrad} mrad, 10 to 100 m: a wall with the nine fixed rays; a wire of 2 mm (7 % of the spot at 10 m) and a patch of 4 mm in the mean over ${pulses * raysPerPulse} dithered rays at each distance.`,
    ],
    charts: [chartOf(shown.map(({ falls }) => falls[0] as Fall))],
    criteria: [
      ...shown.map(({ target, falls }) =>
        worstOf(
          falls.map(({ slope }) =>
            within(
              `exponent of power over distance: ${target.name}`,
              slope,
              target.exponent,
              target.tolerance,
            ),
          ),
        ),
      ),
      ...shown.map(({ target, falls }) =>
        worstOf(
          falls.map(({ power }) =>
            within(
              `power at 10 m over its closed form: ${target.name}`,
              (power[0]?.[1] ?? NaN) / target.powerAt10M,
              1,
              target.powerTolerance,
            ),
          ),
        ),
      ),
    ],
  };
}

function chartOf(falls: readonly Fall[]): TitledChart {
  const colours = ['#3a6ea5', '#c8452f', '#3f8f4f'];
  return {
    title: 'Power of a pulse over distance',
    x: { name: 'distance', unit: 'm', from: 10, to: 100, isLog: true },
    y: { name: 'mean power', unit: '1/m²', from: 1e-8, to: 1e-2, isLog: true },
    series: falls.flatMap(({ target, power, slope }, n) => {
      const [first] = power;
      if (first === undefined) return [];
      const [nearM, near] = first;
      const colour = colours[n] ?? '#4a4a4a';
      return [
        {
          name: `${target.shortName}: ${slope.toFixed(3).replace('-', '−')}`,
          kind: 'points' as const,
          data: power,
          colour,
        },
        {
          name: 'expected',
          kind: 'dashed' as const,
          colour,
          data: power.map(([distanceM]): [number, number] => [
            distanceM,
            near * (distanceM / nearM) ** target.exponent,
          ]),
        },
      ];
    }),
    caption: 'Dashed: the expected power, drawn through the nearest value.',
  };
}

const wallsM = [10, 40];

/** R²·I of a wall that fills the spot, in every mode; `relative`: I alone. */
function wallPower(
  mode: (typeof modes)[number],
  radiometry: 'radar-equation' | 'relative' = 'radar-equation',
): Measurement {
  const factor = (distanceM: number): number =>
    radiometry === 'relative' ? 1 : distanceM * distanceM;
  return form({
    name: `power of a wall at 10 and 40 m, mode ${mode}, ${radiometry}: over its closed form`,
    scene: wall(grey, 0),
    sensor: singleLaser({
      divergenceMrad,
      radiometry,
      returns: { mode, rangeResolutionM: mode === 'closest' ? 0 : 1 },
    }),
    columns: ['intensity'],
    poses: wallsM.map((distanceM) => ({ positionM: [-distanceM, 0, 0], rotation: [0, 0, 0, 1] })),
    statistic: ({ intensity }) =>
      worst(
        wallsM.map((distanceM, n) => ({
          measured: ((intensity[n] ?? NaN) * factor(distanceM)) / reflectance,
          expected: 1,
        })),
      ),
    // The beam's own slant, at most 1.1 mrad, costs 1e-6.
    tolerance: 5e-6,
    source: 'R⁻² of a target that fills the spot',
  });
}

const modes = ['strongest', 'last', 'first', 'closest'] as const;

export const wallPowers = formsPiece({
  name: 'wall-powers',
  ours: 'Power of a wall at 10 and at 40 m, in every mode of one return.',
  rows: [...modes.map((mode) => wallPower(mode)), wallPower('strongest', 'relative')],
});

const visibilityKm = 23;
const [nearM, farM] = [50, 850];

/** Kruse's law, as printed in tables: half of the last digit; roundings of 32-bit intensities are 1e-10 /m of this. */
function tabulated(wavelengthNm: number, expected: number): Measurement {
  const law = {
    name: `extinction at ${visibilityKm} km, ${wavelengthNm} nm`,
    expected: about(expected, 0.005e-5, '1/m'),
    source: 'Kruse 1962, tabulated',
  };
  return async (laboratory) => {
    const perM = await extinctionPerM(laboratory, { visibilityKm }, wavelengthNm, [nearM, farM]);
    return [closedForm(law, perM)];
  };
}

export const air = formsPiece({
  name: 'air',
  ours: `Air: a wall at ${nearM} and at ${farM} m, visibility ${visibilityKm} km (Kruse).`,
  rows: [tabulated(1064, 7.21e-5), tabulated(905, 8.9e-5)],
});
