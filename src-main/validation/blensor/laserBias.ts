// Gschwandtner 2011, section 3.2: each laser has a bias, so that two of 64 may differ by up to 12 cm on
// one plane. Measured as a person would: the mean error of each laser's ranges on a wall.
import { mean, standardDeviation } from '#domain/shared/statistics.ts';
import { within } from '../criteria.ts';
import type { Piece } from '../parts.ts';
import type { ValidationBench } from '../bench.ts';
import { greatest, worstOf } from '../parts.ts';
import { stationary } from '../trajectories.ts';

const biasSigmaM = 0.025;
const lasers = 64;

export const laserBias: Piece = {
  name: 'laser-bias',
  async run(bench, { seeds, isQuick }) {
    await bench.build(
      await bench.scene(
        {
          materials: { grey: { reflectance: 0.5 } },
          models: { wall: { kind: 'box', sizeM: [0.1, 60, 30], material: 'grey' } },
          instances: [
            { name: 'wall', model: 'wall', positionM: [15.05, 0, 0], onGround: false },
            { name: 'behind', model: 'wall', positionM: [-30.05, 0, 0], onGround: false },
          ],
        },
        1,
      ),
    );
    const found: Biases[] = [];
    for (const seed of seeds) found.push(await measure(bench, seed, isQuick ? 0.5e8 : 1e8));
    const [first] = found;
    return {
      ours: [
        `Per-laser bias: the asset hdl-64e-s2 (σ of the biases ${biasSigmaM} m, of a range 0.010 m, step 2 mm) before a wall 15 m away, another 30 m behind it; the mean error of each laser over its pulses.`,
      ],
      charts:
        first === undefined
          ? []
          : [
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
                  { axis: 'y' as const, at: 0.06, label: '±0.06 m' },
                  { axis: 'y' as const, at: -0.06, label: '' },
                ],
              },
            ],
      criteria: [
        // The widest gap of 64 normal numbers is 4.74 σ in the mean with a deviation of 0.6 σ: three of these.
        worstOf(
          found.map(({ measuredM }) =>
            within(
              'widest gap between two of 64 lasers on one plane',
              Math.max(...measuredM) - Math.min(...measuredM),
              0.12,
              3 * 0.6 * biasSigmaM,
              'm',
            ),
          ),
        ),
        // A deviation out of 64 numbers has itself one of σ/√128: three of these.
        worstOf(
          found.map(({ measuredM }) =>
            within(
              'deviation of the errors of 64 lasers',
              standardDeviation(measuredM),
              biasSigmaM,
              (3 * biasSigmaM) / Math.sqrt(2 * lasers),
              'm',
            ),
          ),
        ),
        worstOf(
          found.map(({ measuredM, fartherM, fewest }) =>
            within(
              'mean error of a laser on a wall at 15 m against one at 30 m: greatest difference',
              greatest(measuredM.map((errorM, ring) => errorM - (fartherM[ring] ?? NaN))),
              0,
              (5 * Math.SQRT2 * Math.hypot(0.01, 0.002 / Math.sqrt(12))) / Math.sqrt(fewest),
              'm',
            ),
          ),
        ),
        // Noise of 10 mm and steps of 2 mm over at least `fewest` pulses: five standard errors for 64 lasers.
        worstOf(
          found.map(({ measuredM, describedM, fewest }) =>
            within(
              'mean error of a laser against its bias in sensor.describe: greatest difference',
              greatest(measuredM.map((errorM, ring) => errorM - (describedM[ring] ?? NaN))),
              0,
              (5 * Math.hypot(0.01, 0.002 / Math.sqrt(12))) / Math.sqrt(fewest),
              'm',
            ),
          ),
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

async function measure(bench: ValidationBench, seed: number, toNs: number): Promise<Biases> {
  // A unit for each seed: biases belong to the serial.
  const sensor = { ...(await bench.sensor('hdl-64e-s2')), serial: `unit ${seed}` };
  const { columns } = await bench.scan({
    sensor,
    trajectory: stationary({ positionM: [0, 0, 0], rotation: [0, 0, 0, 1] }),
    toNs,
    seed,
    columns: ['ring', 'range_m', 'range_clean_m', 'x_clean_m'],
  });
  const errors = Array.from({ length: lasers }, (): number[] => []);
  const farther = Array.from({ length: lasers }, (): number[] => []);
  for (const [row, ring] of columns.ring.entries()) {
    const cleanM = columns.range_clean_m[row] ?? NaN;
    const wall = (columns.x_clean_m[row] ?? NaN) > 0 ? errors : farther;
    wall[ring]?.push((columns.range_m[row] ?? NaN) - cleanM);
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
