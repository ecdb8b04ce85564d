// The same bytes, however they are come by: one thread and two, whole chunks and odd ones, the interval at once
// and in parts; the sensor moves and turns while it scans, and everything random about it is on.
import { returnColumnNames } from '#contract/columns.ts';
import { quaternionOf } from '#domain/shared/pose.ts';
import type { Scene } from '#services/scans/sceneWork.ts';
import type { ScanOrder, ValidationBench } from '../bench.ts';
import { above, equal } from '../criteria.ts';
import type { Piece } from '../parts.ts';
import { throughPoses } from '../trajectories.ts';

const oddChunk = 997;

interface Variant {
  name: string;
  hash: string;
  returns: number;
}

export const identity: Piece = {
  name: 'identity',
  async run(bench, { isQuick, seeds }) {
    const { compiled, heights } = await bench.scenario('clearing');
    const scene = { recipe: compiled.recipe, heights };
    const order = await orderOf(bench, isQuick ? 2e7 : 1e8, seeds[0] ?? 1);
    const variants = [
      ...(await bench.withThreads(1, (one) => scanBothVariants(one, 'one thread', scene, order))),
      ...(await bench.withThreads(2, (two) => scanBothVariants(two, 'two threads', scene, order))),
    ];
    const hashes = new Set(variants.map(({ hash }) => hash));
    return {
      ours: [
        'Identity: an HDL-64E S2 with its noise, dithered beams, pointing errors and drop-outs moves at 2 m/s and turns at 90°/s through the sample clearing; the hash is over every column.',
      ],
      tables: [
        {
          title: 'Bytes of one rolling scan',
          columns: ['how', 'returns', 'hash of all columns'],
          rows: variants.map(({ name, returns, hash }) => [name, String(returns), hash]),
        },
      ],
      criteria: [
        above(
          'returns of the rolling scan',
          Math.min(...variants.map(({ returns }) => returns)),
          1000,
        ),
        equal(
          'different hashes of one rolling scan on 1 and 2 threads, in whole and odd chunks',
          hashes.size,
          1,
        ),
      ],
    };
  },
};

type Order = ScanOrder<(typeof returnColumnNames)[number]>;

async function scanBothVariants(
  bench: ValidationBench,
  threads: string,
  scene: Scene,
  order: Order,
): Promise<Variant[]> {
  await bench.build(scene);
  const whole = await bench.scanEach(order, () => {});
  const odd = await bench.scanEach({ ...order, chunkPulses: oddChunk }, () => {});
  return [
    { name: threads, hash: whole.hash, returns: whole.returns },
    { name: `${threads}, chunks of ${oddChunk} pulses`, hash: odd.hash, returns: odd.returns },
  ];
}

async function orderOf(bench: ValidationBench, toNs: number, seed: number): Promise<Order> {
  const sensor = await bench.sensor('hdl-64e-s2');
  const yaw = (yawRad: number): ReturnType<typeof quaternionOf> =>
    quaternionOf({ yawRad, pitchRad: 0, rollRad: 0 });
  return {
    sensor: {
      ...sensor,
      beam: {
        ...sensor.beam,
        stencil: 'rays',
        rays: { count: 4, profile: 'uniform', sampling: 'stratified', dither: true },
      },
      noise: {
        laserBiasSigmaM: 0.025,
        rangeSigmaM: 0.01,
        incidenceSigmaM: 0.001,
        rangeSigmaPerM: 0.001,
        signalSigmaM: 0.001,
        pointingSigmaRad: 0.0005,
        dropOutShare: 0.05,
      },
    },
    trajectory: throughPoses([
      { timeNs: 0, pose: { positionM: [-8, -8, 2], rotation: yaw(0) } },
      { timeNs: 1e8, pose: { positionM: [-7.8, -8, 2], rotation: yaw(Math.PI / 20) } },
    ]),
    toNs,
    seed,
    columns: returnColumnNames,
  };
}
