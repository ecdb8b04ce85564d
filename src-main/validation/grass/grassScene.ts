// The grass stand of Goodin 2018, section 3.4.1, so wide that every beam has stems of its own: vertical
// cylinders, their axes uniform in a strip 5 m deep whose edge is x = 0; a level single-beam sensor passes
// along y at x = −D, and fires every 6 cm.
import type { SensorInput } from '#contract/documents/sensor.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import type { GrassStand } from '#domain/metrics/grassLaws.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';
import type { Scene } from '#services/scans/sceneWork.ts';
import type { ValidationBench } from '../bench.ts';
import { laserSlotNs, singleLaser } from '../simpleSensors.ts';
import { straight } from '../trajectories.ts';

const depthM = 5;
/** Wider than the widest beam with a stem on either side: 3.5 cm and two halves of 2 cm. */
export const spacingM = 0.06;
const divergenceRad = 1e-3;

type Stem = Pick<GrassStand, 'densityPerM2' | 'diameterM'>;

/** The paper's thin stand of thick stems: the one of quick runs. */
export const sparseThickStem: Stem = { densityPerM2: 50, diameterM: 0.02 };
/** λ and d of the paper. */
const stems: readonly Stem[] = [
  { densityPerM2: 50, diameterM: 0.01 },
  sparseThickStem,
  { densityPerM2: 100, diameterM: 0.01 },
  { densityPerM2: 100, diameterM: 0.02 },
];
export const distancesM = [20, 30] as const;

const sides = 32;
const stemHeightM = 2;
/** Beside the beams' own strip, so that its ends are as full as its middle. */
const marginM = 1;

/** All of the paper, or one. */
export function stemsOf(isQuick: boolean): readonly Stem[] {
  return isQuick ? [sparseThickStem] : stems;
}

/** The stand of these stems from both distances of the paper. */
export function standsOf(stem: Stem): [near: GrassStand, far: GrassStand] {
  const [nearM, farM] = distancesM;
  return [
    { ...stem, distanceM: nearM, divergenceRad },
    { ...stem, distanceM: farM, divergenceRad },
  ];
}

/** A stand so wide that each of the beams has stems of its own. */
export function wideGrassScene(
  bench: ValidationBench,
  stem: Stem,
  beams: number,
  seed: number,
): Promise<Scene> {
  return grassScene(bench, stem, beams * spacingM, seed);
}

/** Stems beside each other along `widthM` of y, from 0. */
export async function grassScene(
  bench: ValidationBench,
  { densityPerM2, diameterM }: Stem,
  widthM: number,
  seed: number,
): Promise<Scene> {
  // A regular polygon is on average as wide as n/π·sin(π/n) of its circumscribed circle.
  const meanWidth = (sides / Math.PI) * Math.sin(Math.PI / sides);
  return bench.scene(
    {
      materials: { stem: { reflectance: 0.5 } },
      models: {
        stem: {
          kind: 'cylinder',
          radiusM: diameterM / 2 / meanWidth,
          heightM: stemHeightM,
          sides,
          caps: false,
          material: 'stem',
        },
      },
      scatters: [
        {
          name: 'stems',
          model: 'stem',
          count: Math.round(densityPerM2 * (widthM + 2 * marginM) * depthM),
          areaM: [
            [0, -marginM],
            [depthM, -marginM],
            [depthM, widthM + marginM],
            [0, widthM + marginM],
          ],
        },
      ],
    },
    seed,
  );
}

/** One level beam of 1 mrad, without a limit of range or cutoff that matters. */
export function grassSensor(
  bench: ValidationBench,
  beam: Partial<SensorInput['beam']>,
  mode: SensorInput['returns']['mode'],
): Promise<SensorRecipe> {
  return bench.sensor(
    singleLaser({
      divergenceMrad: divergenceRad * 1000,
      beam,
      range: { minM: 0, maxM: 200 },
      returns: { mode, signalCutoffM: 100 },
    }),
  );
}

/** Along the stand at a distance, half way up the stems: pulse k at y = fromM + k·stepM. */
export function passingBy(
  distanceM: number,
  beams: number,
  { fromM = 0, stepM = spacingM } = {},
): { trajectory: Trajectory; toNs: number } {
  const toNs = beams * laserSlotNs;
  const at = (yM: number): [number, number, number] => [-distanceM, yM, stemHeightM / 2];
  return { trajectory: straight(at(fromM), at(fromM + beams * stepM), toNs), toNs };
}

export function caseName({
  densityPerM2,
  diameterM,
  distanceM,
}: Omit<GrassStand, 'divergenceRad'>): string {
  return `λ = ${densityPerM2} /m², d = ${Math.round(diameterM * 1000)} mm, D = ${distanceM} m`;
}
