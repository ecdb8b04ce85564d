// Goodin 2018, section 3.4.1 and figure 5: ranges of a beam in a stand of grass, eight cases. The nearest
// hit of a beam of many rays has an exact law; the paper's averaged return is held against its gamma law.
import { UnderstoryError } from '#contract/errors.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { ksDistance } from '#domain/metrics/distribution.ts';
import { exponentialLaw, gammaLaw, type GrassStand } from '#domain/metrics/grassLaws.ts';
import type { ValidationBench } from '../bench.ts';
import type { Experiment } from '../experiment.ts';
import {
  caseName,
  grassScene,
  grassSensor,
  passingBy,
  standsOf,
  stemsOf,
  wideGrassScene,
} from './grassScene.ts';
import { grassSection, type Case, type Sample, type SingleStand } from './grassSection.ts';

const fullBeams = 20_000;
const quickBeams = 4_000;
/** The paper's own stand. */
const singleStandM = 10;

/**
 * Why a square spot: the wedge of the law has edges that count, and of a disc's rays hardly any lie near its
 * own. Dithered, so that rays are spread over the width and do not form columns.
 */
const manyRays = {
  shape: 'rectangular',
  stencil: 'rays',
  rays: { count: 1_000, profile: 'uniform', dither: true },
} as const;
/** A beam without width. */
const oneRay = {
  divergenceHorizontalMrad: 0,
  divergenceVerticalMrad: 0,
  ...manyRays,
  rays: { count: 1 },
} as const;
/** A round spot, as the paper's; the same rays for every beam, so that their width is one number. */
const roundRays = {
  shape: 'circular',
  stencil: 'rays',
  rays: { count: 1_000, profile: 'uniform' },
} as const;

export const grassStand: Experiment = {
  name: 'grass-stand',
  title: 'Grass stand',
  async run(bench, { isQuick, seeds, onProgress }) {
    const beams = isQuick ? quickBeams : fullBeams;
    const stems = stemsOf(isQuick);
    const cases = new Map<string, Case>();
    let done = 0;
    for (const stem of stems) {
      for (const seed of seeds) {
        const scans = await scanStand(bench, stem, beams, seed, seed === seeds[0]);
        for (const [key, { stand, sample }] of scans) {
          const found = cases.get(key) ?? { stand, samples: [] };
          cases.set(key, { stand, samples: [...found.samples, sample] });
        }
        done += 1;
        onProgress(done / (stems.length * seeds.length));
      }
    }
    const single = isQuick ? [] : await singleStands(bench, beams);
    return grassSection([...cases.values()], single, { beams, rays: manyRays.rays.count });
  },
};

/** One stand, looked at from every distance. */
async function scanStand(
  bench: ValidationBench,
  stem: ReturnType<typeof stemsOf>[number],
  beams: number,
  seed: number,
  withRound: boolean,
): Promise<Map<string, { stand: GrassStand; sample: Sample }>> {
  await bench.build(await wideGrassScene(bench, stem, beams, seed));
  const axisM = await axesBehindEdge(bench);
  const nearest = await grassSensor(bench, manyRays, 'closest');
  const thin = await grassSensor(bench, oneRay, 'closest');
  const round = await grassSensor(bench, roundRays, 'closest');
  const roundWidthRad = await widthOf(bench, round);
  const averaged = await grassSensor(bench, { stencil: 'moment' }, 'first');
  const printed = await grassSensor(bench, { stencil: 'goodin2018' }, 'first');
  const scans = new Map<string, { stand: GrassStand; sample: Sample }>();
  for (const stand of standsOf(stem)) {
    const { distanceM } = stand;
    const passing = passingBy(distanceM, beams);
    const axesOf = async (sensor: SensorRecipe): Promise<Float64Array> => {
      const { columns } = await bench.scan({ sensor, ...passing, seed, columns: ['object_id'] });
      return Float64Array.from(columns.object_id, (id) => axisM.get(id) ?? Number.NaN);
    };
    const depthsOf = (sensor: SensorRecipe): Promise<Float64Array> =>
      depthsBehindEdge(bench, sensor, distanceM, passing, seed);
    const sample = {
      seed,
      nearestM: await axesOf(nearest),
      thinM: await axesOf(thin),
      round: withRound ? { nearestM: await axesOf(round), widthRad: roundWidthRad } : null,
      averagedM: await depthsOf(averaged),
      printedM: await depthsOf(printed),
    };
    scans.set(caseName(stand), { stand, sample });
  }
  return scans;
}

/** From the leftmost to the rightmost ray, on the plane 1 m ahead. */
async function widthOf(bench: ValidationBench, sensor: SensorRecipe): Promise<number> {
  const { columns } = await bench.describe({ sensor });
  const lefts = [...columns.ray_left];
  return Math.max(...lefts) - Math.min(...lefts);
}

/** Depth of the axis of each stem by the id of its instance: ground truth. */
async function axesBehindEdge(bench: ValidationBench): Promise<Map<number, number>> {
  const { instance_id: ids, x_m: xM } = await bench.instances();
  if (!(ids instanceof Uint32Array) || !(xM instanceof Float64Array)) {
    throw new UnderstoryError('protocol', 'the worker left columns of its instances out');
  }
  return new Map(Array.from(ids, (id, row) => [id, xM[row] ?? Number.NaN]));
}

async function depthsBehindEdge(
  bench: ValidationBench,
  sensor: SensorRecipe,
  distanceM: number,
  passing: ReturnType<typeof passingBy>,
  seed: number,
): Promise<Float64Array> {
  const { columns } = await bench.scan({ sensor, ...passing, seed, columns: ['range_m'] });
  return Float64Array.from(columns.range_m, (rangeM) => rangeM - distanceM);
}

/** The paper's own stand, 10 m wide: its beams share stems and are not independent. */
async function singleStands(bench: ValidationBench, beams: number): Promise<SingleStand[]> {
  const sensor = await grassSensor(bench, { stencil: 'moment' }, 'first');
  const found: SingleStand[] = [];
  for (const stem of stemsOf(false)) {
    await bench.build(await grassScene(bench, stem, singleStandM, 1));
    for (const stand of standsOf(stem)) {
      const { distanceM } = stand;
      const passing = passingBy(distanceM, beams, { stepM: singleStandM / beams });
      const depths = await depthsBehindEdge(bench, sensor, distanceM, passing, 1);
      found.push({
        stand,
        ksGamma: ksDistance(depths, gammaLaw(stand).cdf),
        ksExponential: ksDistance(depths, exponentialLaw(stand).cdf),
      });
    }
  }
  return found;
}
