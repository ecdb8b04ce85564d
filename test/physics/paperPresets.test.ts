// The presets of Goodin 2018 keep the paper's model bit for bit: what each sensor gave at commit 6e90568, before
// sensors were modelled as built, in a yard of convex facets. Golden values, because the guarantee is identity with
// a published version; the model itself is asserted against closed forms elsewhere in this folder.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { throughPoses } from '#validation/trajectories.ts';
import { compileScenario, openWorker, scanBytes } from '#test/workers/realWorker.ts';

const columns = ['range_m', 'intensity', 'ring', 'time_ns', 'object_id'] as const;
const sensors = ['lms-291', 'vlp-16', 'hdl-32e', 'hdl-64e'] as const;
const seeds = [1, 2, 3];
const toNs = 100e6;
const yard = fileURLToPath(new URL('presets/yard.understory.yaml', import.meta.url));

type Golden = Record<string, { rows: number } & Record<(typeof columns)[number], string>>;
const golden = JSON.parse(
  readFileSync(new URL('presets/golden.json', import.meta.url), 'utf8'),
) as Golden;

/** Drives, climbs and turns by 20 degrees, so that the pose of every slot counts. */
const trajectory = throughPoses([
  { timeNs: 0, pose: { positionM: [-0.3, -0.2, 1.6], rotation: [0, 0, 0, 1] } },
  {
    timeNs: toNs,
    pose: {
      positionM: [0.3, 0.2, 1.7],
      rotation: [0, 0, Math.sin(Math.PI / 18), Math.cos(Math.PI / 18)],
    },
  },
]);

const hasAvx2 = readFileSync('/proc/cpuinfo', 'utf8').includes(' avx2 ');

// Why avx2: bytes are the same on any machine with one instruction set.
describe.skipIf(!hasAvx2)('with avx2', () => {
  it.each(seeds)('every preset gives the bytes of commit 6e90568, seed %i', async (seed) => {
    const loaded = await compileScenario(yard, { seed });
    const { worker } = await openWorker(loaded, { isa: 'avx2' });
    const found: Golden = {};
    try {
      for (const id of sensors) {
        const { compiled } = await compileScenario(yard, { seed, sensor: `${id}-goodin2018` });
        const [sensor] = compiled.sensors;
        if (sensor === undefined) throw new Error('the sensor was not compiled');
        const order = { sensor: sensor.recipe, toNs, trajectory, seed, columns: [...columns] };
        const { rows, digests } = await scanBytes(worker, order);
        found[`${id} ${seed}`] = { rows, ...digests } as Golden[string];
      }
    } finally {
      await worker.dispose();
    }
    for (const id of sensors) expect(found[`${id} ${seed}`]).toEqual(golden[`${id} ${seed}`]);
  });
});
