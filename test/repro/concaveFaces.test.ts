// A concave face of a mesh file was made a fan from its first corner, which closed its notch: rays met it where there
// was nothing.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runHere } from '#test/hosts/cli/commandLine.ts';
import { rayCamera } from '#test/physics/rayCamera.ts';
import { temporaryFolder } from '#test/support/folder.ts';

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

const scene = `
understory: 2
name: The letter L
scene:
  materials: { white: { reflectance: 1 } }
  models: { letter: { kind: mesh, file: letter.obj, unit: m, upAxis: z, material: white } }
  instances: [{ name: letter, model: letter, positionM: [0, 0, 0], onGround: false }]
`;

it('leave their notch open', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'letter.obj'), letter);
  writeFileSync(join(folder, 'scene.yaml'), scene);
  writeFileSync(join(folder, 'camera.yaml'), rayCamera);
  const columns = ['--columns', 'azimuth_rad,elevation_rad,range_m', '--misses'];
  const { exitCode } = await runHere(
    folder,
    ...['scan', join(folder, 'scene.yaml'), '--sensor', join(folder, 'camera.yaml')],
    ...['--pose', '0,0,0,0', '--seconds', '0.1'],
    ...columns,
    ...['--out', 'out.csv'],
  );
  expect(exitCode).toBe(0);
  const [, ...lines] = readFileSync(join(folder, 'out.csv'), 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(101 * 101);
  let inside = 0;
  for (const line of lines) {
    const [azimuth = '', elevation = '', range = ''] = line.split(',');
    const y = 5 * Math.tan(Number(azimuth));
    const z = (5 * Math.tan(Number(elevation))) / Math.cos(Number(azimuth));
    const toEdge = Math.min(
      ...[y, z].flatMap((value) => [-1, 0, 1].map((edge) => Math.abs(value - edge))),
    );
    // The angles are single precision: 1e-6 m there.
    if (toEdge < 1e-5) continue;
    const isInside = Math.abs(y) < 1 && Math.abs(z) < 1 && !(y > 0 && z > 0);
    expect([y, z, range !== '']).toEqual([y, z, isInside]);
    inside += isInside ? 1 : 0;
  }
  expect(inside).toBeGreaterThan(4000);
});
