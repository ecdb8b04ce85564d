// The ground of the sample `hillside` from end to end: painted picture, heights, triangles, rays. Where a
// ray meets it, it must be as high as the function that the picture was made from says.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { createDocuments } from '#services/documents/documents.ts';
import { hillside } from '#test/assets/terrains.ts';
import { openWorker } from './bench.ts';

const assetsFolder = join(import.meta.dirname, '../../assets');

it('meets the hillside where it was painted', async () => {
  const documents = createDocuments({ files: createNodeFiles({ assetsFolder }) });
  const { compiled, heights } = await documents.compile(
    'hillside',
    {},
    { sensor: 'vlp-16-goodin2018' },
  );
  const [sensor] = compiled.sensors;
  if (!sensor) throw new Error('expected a sensor');
  const [xM, yM] = [5, -12];
  const one = Float64Array.of(1);
  const zero = Float64Array.of(0);
  const worker = await openWorker();
  let worstM = 0;
  let hits = 0;
  try {
    const recipe = { ...compiled.recipe, scatters: [] };
    await worker.call('scene.build', { recipe, memoryLimitBytes: 1e9 }, { heights });
    await worker.call(
      'scan',
      {
        sensor: sensor.recipe,
        fromNs: 0,
        toNs: 1e8,
        seed: 1,
        columns: ['hit_x_m', 'hit_y_m', 'hit_z_m'],
        misses: false,
      },
      {
        time_ns: BigInt64Array.of(0n),
        x_m: Float64Array.of(xM),
        y_m: Float64Array.of(yM),
        z_m: Float64Array.of(hillside.heightM(xM, yM) + 3),
        qx: zero,
        qy: zero,
        qz: zero,
        qw: one,
      },
      {
        onChunk: ({ columns: table, body: { rows } }) => {
          const { hit_x_m: x = [], hit_y_m: y = [], hit_z_m: z = [] } = table;
          for (let row = 0; row < rows; row += 1) {
            const heightM = hillside.heightM(x[row] ?? NaN, y[row] ?? NaN);
            worstM = Math.max(worstM, Math.abs((z[row] ?? NaN) - heightM));
            hits += 1;
          }
        },
      },
    );
  } finally {
    await worker.dispose();
  }
  expect(hits).toBeGreaterThan(10000);
  // Flat triangles between posts s = 0.75 m apart lie off the surface by at most s²/8 times the sum of
  // its second derivatives, |f_xx| + 2·|f_xy| + |f_yy| < 0.019: 1.34 mm; half a grey level is 0.06 mm.
  // With rows from the north it would be metres.
  expect(worstM).toBeLessThan(0.0015);
});
