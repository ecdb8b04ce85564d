// A concave face of a mesh file was made a fan from its first corner, which closed its notch: rays met it where there
// was nothing.
import { expect, it } from 'vitest';
import { rayCamera } from '#test/physics/rayCamera.ts';
import { meshModel, placed, scenario } from '#test/support/documents.ts';
import { scanned } from '#test/support/scan.ts';

// An L in the plane x = 5, from the corner whose fan covers the notch y > 0, z > 0.
const corners = [
  [1, 0],
  [0, 0],
  [0, 1],
  [-1, 1],
  [-1, -1],
  [1, -1],
];
const letter = [...corners.map(([y, z]) => `v 5 ${y} ${z}`), 'f 1 2 3 4 5 6', ''].join('\n');

const scene = scenario({
  models: { letter: meshModel('letter.obj') },
  instances: [placed('letter', [0, 0, 0])],
});

it('leave their notch open', async () => {
  const { rows } = await scanned({
    scene,
    sensor: rayCamera,
    files: { 'letter.obj': letter },
    columns: 'azimuth_rad,elevation_rad,range_m',
    options: ['--misses'],
  });
  expect(rows).toHaveLength(101 * 101);
  let inside = 0;
  for (const { azimuth_rad: azimuth = NaN, elevation_rad: elevation = NaN, range_m } of rows) {
    const y = 5 * Math.tan(azimuth);
    const z = (5 * Math.tan(elevation)) / Math.cos(azimuth);
    const toEdge = Math.min(
      ...[y, z].flatMap((value) => [-1, 0, 1].map((edge) => Math.abs(value - edge))),
    );
    // The angles are single precision: 1e-6 m there.
    if (toEdge < 1e-5) continue;
    const isInside = Math.abs(y) < 1 && Math.abs(z) < 1 && !(y > 0 && z > 0);
    expect([y, z, !Number.isNaN(range_m)]).toEqual([y, z, isInside]);
    inside += isInside ? 1 : 0;
  }
  expect(inside).toBeGreaterThan(4000);
});
