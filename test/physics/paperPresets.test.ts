// The presets of Goodin 2018 keep the paper's model: what each sensor gave at commit 6e90568, before sensors were
// modelled as built, in a yard of convex facets. Golden values, because the guarantee is identity with a published
// version; the model itself is asserted against closed forms elsewhere in this folder. Rings, times and objects are the
// same; ranges and intensities agree within 1e-4. Why not their bytes: Embree refines the processor's approximate
// reciprocals, and the last digit of a range differs between makers of processors.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { throughPoses } from '#validation/trajectories.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import {
  compileScenario,
  openWorker,
  scanBytes,
  type ScanOrder,
} from '#test/workers/realWorker.ts';

const equalColumns = ['ring', 'time_ns', 'object_id'] as const;
const closeColumns = ['range_m', 'intensity'] as const;
/** Metres, and parts of the emitted intensity. */
const tolerance = 1e-4;
const sensors = ['lms-291', 'vlp-16', 'hdl-32e', 'hdl-64e'] as const;
const seeds = [1, 2, 3];
const toNs = 100e6;
const yard = fileURLToPath(new URL('presets/yard.understory.yaml', import.meta.url));

/** By sensor and seed: digests of columns, and of every so many rows values as 32-bit numbers in base64. */
type Golden = Record<
  string,
  { rows: number; every: number } & Record<
    (typeof equalColumns | typeof closeColumns)[number],
    string
  >
>;
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

// Why avx2: packets are formed alike on any machine with one instruction set.
describe.skipIf(!hasAvx2)('with avx2', () => {
  it.each(seeds)('every preset gives the rows of commit 6e90568, seed %i', async (seed) => {
    const loaded = await compileScenario(yard, { seed });
    const { worker } = await openWorker(loaded, { isa: 'avx2' });
    try {
      for (const id of sensors) {
        const { compiled } = await compileScenario(yard, { seed, sensor: `${id}-goodin2018` });
        const [sensor] = compiled.sensors;
        if (sensor === undefined) throw new Error('the sensor was not compiled');
        const order = { sensor: sensor.recipe, toNs, trajectory, seed };
        const expected = golden[`${id} ${seed}`];
        if (expected === undefined) throw new Error(`no golden values of ${id} ${seed}`);
        const { rows, digests } = await scanBytes(worker, { ...order, columns: [...equalColumns] });
        expect({ rows, ...digests }).toEqual(pick(expected, ['rows', ...equalColumns]));
        const close = await columnsOf(worker, order);
        for (const column of closeColumns) {
          const kept = close[column].filter((_, row) => row % expected.every === 0);
          const differences = floatsIn(expected[column]).map((value, index) =>
            Math.abs(value - (kept[index] ?? Number.NaN)),
          );
          expect(differences).toHaveLength(kept.length);
          expect(differences.length).toBeGreaterThan(100);
          expect(Math.max(...differences), `${id} ${column}`).toBeLessThan(tolerance);
        }
      }
    } finally {
      await worker.dispose();
    }
  });
});

function pick<T extends object, K extends keyof T>(from: T, keys: K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>;
}

function floatsIn(base64: string): number[] {
  const bytes = Buffer.from(base64, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(4 * index));
}

async function columnsOf(
  worker: ScanWorker,
  { trajectory: path, ...request }: Omit<ScanOrder, 'columns'>,
): Promise<Record<(typeof closeColumns)[number], number[]>> {
  const values = { range_m: [] as number[], intensity: [] as number[] };
  const columns = [...closeColumns];
  const order = { fromNs: 0, seed: 1, misses: false, ...request, columns };
  await worker.call('scan', order, path, {
    onChunk: ({ columns: table }) => {
      for (const column of closeColumns) {
        for (const value of table[column] ?? []) values[column].push(Number(value));
      }
    },
  });
  return values;
}
