// Noise makes no echoes: the pulses that return with every kind of noise on are those that return without. And a
// laser's constant error is one number, kept.
import type { SensorInput } from '#contract/sensor.ts';
import { standardDeviation } from '#domain/metrics/summary.ts';
import type { ValidationBench } from '../bench.ts';
import { above, below, equal } from '../criteria.ts';
import { greatest, type Piece } from '../parts.ts';
import { singleLaser } from '../simpleSensors.ts';
import { standing } from '../trajectories.ts';

const rays = 3600;
const biasSigmaM = 0.05;

export const emptyPulses: Piece = {
  name: 'empty-pulses',
  async run(bench, { seeds }) {
    const scene = {
      materials: { grey: { reflectance: 0.5 } },
      models: {
        ball: { kind: 'sphere' as const, radiusM: 2, rings: 16, material: 'grey' },
      },
      instances: [
        {
          name: 'ball',
          model: 'ball',
          positionM: [10, 0, 0] as [number, number, number],
          onGround: false,
        },
      ],
    };
    await bench.build(await bench.scene(scene, 1));
    const clean = await pulsesThatReturn(bench, {}, 1);
    const noise = {
      laserBiasSigmaM: biasSigmaM,
      rangeSigmaM: 0.5,
      incidenceSigmaM: 0.001,
      rangeSigmaPerM: 0.01,
      signalSigmaM: 0.01,
    };
    const extra: number[] = [];
    const spreads: number[] = [];
    const biases: number[] = [];
    for (const seed of seeds) {
      const noisy = await pulsesThatReturn(bench, { noise }, seed);
      extra.push([...noisy.pulses].filter((pulse) => !clean.pulses.has(pulse)).length);
      const biased = await pulsesThatReturn(
        bench,
        { noise: { laserBiasSigmaM: biasSigmaM } },
        seed,
      );
      spreads.push(standardDeviation(biased.errorsM));
      biases.push(biased.errorsM[0] ?? NaN);
    }
    return {
      ours: [
        `Noise: one laser turns once about itself in ${rays} pulses beside a ball, with every kind of noise on ranges; most of its pulses meet nothing.`,
      ],
      criteria: [
        above('pulses that meet nothing', rays - clean.pulses.size, rays / 2),
        equal('pulses that return with noise, and not without it', greatest(extra), 0),
        above(
          'constant error of one laser, least of the seeds',
          Math.min(...biases.map(Math.abs)),
          1e-5,
          'm',
        ),
        // Differences of 32-bit ranges of some 10 m: 1e-6; an error drawn anew would spread by 0.05.
        below("spread of one laser's constant error over its pulses", greatest(spreads), 1e-5, 'm'),
      ],
    };
  },
};

async function pulsesThatReturn(
  bench: ValidationBench,
  changes: { noise?: SensorInput['noise'] },
  seed: number,
): Promise<{ pulses: Set<bigint>; errorsM: number[] }> {
  const sensor = await bench.sensor(
    singleLaser({
      divergenceMrad: 3,
      scan: { kind: 'spinning', rateHz: 10, slotsPerRevolution: rays },
      ...changes,
    }),
  );
  const { columns } = await bench.scan({
    sensor,
    trajectory: standing({ positionM: [0, 0, 0], rotation: [0, 0, 0, 1] }),
    toNs: 1e8,
    seed,
    columns: ['pulse', 'range_m', 'range_clean_m'],
  });
  return {
    pulses: new Set(columns.pulse),
    errorsM: Array.from(
      columns.range_m,
      (rangeM, row) => rangeM - (columns.range_clean_m[row] ?? NaN),
    ),
  };
}
