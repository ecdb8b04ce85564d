// Gschwandtner 2011, section 3.2: each laser has a bias, so that two of 64 may differ by up to 12 cm on
// one plane. Measured as a person would: the mean error of each laser's ranges on a wall.
import type { Criterion } from '#contract/host/validation.ts';
import { mean, standardDeviation } from '#domain/shared/statistics.ts';
import { differences } from '../closedForm.ts';
import { within } from '../criteria.ts';
import { openLaboratory, type Laboratory } from '../laboratory.ts';
import { greatest, worstOf, type Piece } from '../parts.ts';
import { grey, solids } from '../scenes.ts';
import { atRest } from '../trajectories.ts';

const biasSigmaM = 0.025;
const lasers = 64;
/** Noise of 10 mm and steps of 2 mm. */
const noiseM = Math.hypot(0.01, 0.002 / Math.sqrt(12));

/** Their faces are 15 m ahead and 30 m behind. */
const twoWalls = solids(
  [15.05, -30.05].map((xM) => ({
    shape: { kind: 'box', sizeM: [0.1, 60, 30] },
    material: grey,
    positionM: [xM, 0, 0],
  })),
);

export const laserBias: Piece = {
  name: 'laser-bias',
  async run(bench, options) {
    const laboratory = openLaboratory(bench, options);
    const found: Biases[] = [];
    for (const seed of options.seeds) found.push(await measure(laboratory, seed));
    const worstForm = (
      name: string,
      valueOf: (biases: Biases) => number,
      expected: number,
      toleranceOf: (biases: Biases) => number,
    ): Criterion =>
      worstOf(found.map((each) => within(name, valueOf(each), expected, toleranceOf(each), 'm')));
    return {
      ours: [
        `Per-laser bias: the asset hdl-64e-s2 (σ of the biases ${biasSigmaM} m, of a range 0.010 m, step 2 mm) before a wall 15 m away, another 30 m behind it; the mean error of each laser over its pulses.`,
      ],
      charts: [
        {
          title: 'Mean error of each laser on one plane',
          x: { name: 'ring', unit: '', from: 0, to: 70 },
          y: { name: 'mean error of range', unit: 'm', from: -0.09, to: 0.09 },
          series: found.map(({ seed, measuredM }) => ({
            name: `unit ${seed}`,
            kind: 'points' as const,
            data: measuredM.map((errorM, ring): [number, number] => [ring, errorM]),
          })),
          marks: [
            { axis: 'y', at: 0.06, label: '±0.06 m' },
            { axis: 'y', at: -0.06, label: '' },
          ],
        },
      ],
      criteria: [
        worstForm(
          'widest gap between two of 64 lasers on one plane',
          ({ measuredM }) => Math.max(...measuredM) - Math.min(...measuredM),
          0.12,
          // The widest gap of 64 normal numbers is 4.74 σ in the mean with a deviation of 0.6 σ: three of these.
          () => 3 * 0.6 * biasSigmaM,
        ),
        worstForm(
          'deviation of the errors of 64 lasers',
          ({ measuredM }) => standardDeviation(measuredM),
          biasSigmaM,
          // A deviation out of 64 numbers has itself one of σ/√128: three of these.
          () => (3 * biasSigmaM) / Math.sqrt(2 * lasers),
        ),
        worstForm(
          'mean error of a laser on a wall at 15 m against one at 30 m: greatest difference',
          ({ measuredM, fartherM }) => greatest(differences(measuredM, fartherM)),
          0,
          ({ fewest }) => (5 * Math.SQRT2 * noiseM) / Math.sqrt(fewest),
        ),
        worstForm(
          'mean error of a laser against its bias in sensor.describe: greatest difference',
          ({ measuredM, describedM }) => greatest(differences(measuredM, describedM)),
          0,
          // Noise over at least `fewest` pulses: five standard errors for 64 lasers.
          ({ fewest }) => (5 * noiseM) / Math.sqrt(fewest),
        ),
      ],
    };
  },
};

interface Biases {
  seed: number;
  measuredM: number[];
  /** On the wall behind the sensor. */
  fartherM: number[];
  describedM: number[];
  /** Pulses of the laser that has fewest. */
  fewest: number;
}

async function measure({ bench, fire, isQuick }: Laboratory, seed: number): Promise<Biases> {
  // A unit for each seed: biases belong to the serial.
  const sensor = { ...(await bench.sensor('hdl-64e-s2')), serial: `unit ${seed}` };
  const fired = await fire({
    scene: twoWalls,
    sensor,
    path: atRest(isQuick ? 0.05 : 0.1),
    seed,
    columns: ['ring', 'range_m', 'range_clean_m', 'x_clean_m'],
  });
  const errors = Array.from({ length: lasers }, (): number[] => []);
  const farther = Array.from({ length: lasers }, (): number[] => []);
  const errorsM = differences(fired.range_m, fired.range_clean_m);
  for (const [row, ring] of fired.ring.entries()) {
    const wall = (fired.x_clean_m[row] ?? NaN) > 0 ? errors : farther;
    wall[ring]?.push(errorsM[row] ?? NaN);
  }
  const described = (await bench.describe({ sensor, seed })).columns;
  const describedM = new Array<number>(lasers).fill(NaN);
  for (const [row, ring] of described.laser_ring.entries()) {
    describedM[ring] = described.laser_range_bias_m[row] ?? NaN;
  }
  return {
    seed,
    measuredM: errors.map(mean),
    fartherM: farther.map(mean),
    describedM,
    fewest: Math.min(...[...errors, ...farther].map(({ length }) => length)),
  };
}
