// Noise makes no echoes: the pulses that return with every kind of noise on are those that return without. And a
// laser's bias is one constant number.
import type { SensorInput } from '#contract/documents/sensor.ts';
import { standardDeviation } from '#domain/shared/statistics.ts';
import type { ValidationBench } from '../bench.ts';
import { above, below, equal } from '../criteria.ts';
import { greatest, type Piece } from '../parts.ts';
import { singleLaser } from '../simpleSensors.ts';
import { stationary } from '../trajectories.ts';

const pulses = 3600;
const [ballM, ballRadiusM] = [10, 2];
const divergenceMrad = 3;
/** Beyond this angle no ray of a beam can meet the ball. */
const besideRad = Math.asin(ballRadiusM / ballM) + divergenceMrad / 1000;
const biasSigmaM = 0.05;

export const emptyPulses: Piece = {
  name: 'empty-pulses',
  async run(bench, { seeds }) {
    const scene = {
      materials: { grey: { reflectance: 0.5 } },
      models: {
        ball: { kind: 'sphere' as const, radiusM: ballRadiusM, rings: 16, material: 'grey' },
      },
      instances: [
        {
          name: 'ball',
          model: 'ball',
          positionM: [ballM, 0, 0] as [number, number, number],
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
    const beside: number[] = [];
    const spreads: number[] = [];
    const biases: number[] = [];
    for (const seed of seeds) {
      const noisy = await pulsesThatReturn(bench, { noise }, seed);
      extra.push([...noisy.pulses].filter((pulse) => !clean.pulses.has(pulse)).length);
      beside.push([...noisy.pulses].filter(isBeside).length);
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
        `Noise: one laser turns once about itself in ${pulses} pulses beside a ball, with every kind of noise on ranges; most of its pulses meet nothing.`,
      ],
      criteria: [
        equal('pulses that point beside the ball and return, noise on', greatest(beside), 0),
        above('pulses that meet the ball', clean.pulses.size, 100),
        equal('pulses that return with noise, and not without it', greatest(extra), 0),
        above(
          'bias of one laser, minimum of the seeds',
          Math.min(...biases.map(Math.abs)),
          1e-5,
          'm',
        ),
        // Differences of 32-bit ranges of some 10 m: 1e-6; an error drawn for each pulse would spread by 0.05.
        below("spread of one laser's bias over its pulses", greatest(spreads), 1e-5, 'm'),
      ],
    };
  },
};

/** One turn from azimuth 0 on, counter-clockwise. */
function isBeside(pulse: bigint): boolean {
  const azimuthRad = (2 * Math.PI * Number(pulse)) / pulses;
  return azimuthRad > besideRad && azimuthRad < 2 * Math.PI - besideRad;
}

async function pulsesThatReturn(
  bench: ValidationBench,
  changes: { noise?: SensorInput['noise'] },
  seed: number,
): Promise<{ pulses: Set<bigint>; errorsM: number[] }> {
  const sensor = await bench.sensor(
    singleLaser({
      divergenceMrad,
      scan: { kind: 'spinning', rateHz: 10, slotsPerRevolution: pulses },
      ...changes,
    }),
  );
  const { columns } = await bench.scan({
    sensor,
    trajectory: stationary({ positionM: [0, 0, 0], rotation: [0, 0, 0, 1] }),
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
