// A mesh whose image cuts holes into it: by the command line, against the texels themselves.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode, encode } from 'fast-png';
import { beforeEach, describe, expect, it } from 'vitest';
import { runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { rayCamera } from './rayCamera.ts';

const side = 8;
const isOpaque = (column: number, row: number): boolean => (column * 3 + row * 5) % 7 < 3;
const texels = Array.from({ length: side * side }, (_, texel) => {
  return isOpaque(texel % side, Math.floor(texel / side)) ? 255 : 0;
});

/** Red by column, green by row, counted from the corner at +y and +z. */
const colours = Array.from({ length: side * side }, (_, texel) => {
  return [10 * (texel % side), 20 * Math.floor(texel / side), 77];
}).flat();

// A square of 2 by 2 m, 5 m ahead, its image upright as seen along x: u along -y, v along z.
const leaf = `mtllib leaf.mtl
v 0 1 -1
v 0 -1 -1
v 0 -1 1
v 0 1 1
vt 0 0
vt 1 0
vt 1 1
vt 0 1
usemtl leaf
f 1/1 2/2 3/3 4/4
`;

const leafPly = `ply
format ascii 1.0
comment TextureFile both.png
element vertex 4
property float x
property float y
property float z
property float s
property float t
element face 1
property list uchar int vertex_indices
end_header
0 1 -1 0 0
0 -1 -1 1 0
0 -1 1 1 1
0 1 1 0 1
4 0 1 2 3
`;

const sceneOf = (model: string, behind: string): string => `
understory: 2
name: A leaf
scene:
  materials: { leaf: { reflectance: 0.5, colour: '#00ff00' }, wall: { reflectance: 0.25, colour: '#102030' } }
  models:
    leaf: { kind: mesh, file: leaf.obj, unit: m, upAxis: z, material: leaf${model} }
    wall: { kind: box, sizeM: [0.5, 20, 20], material: wall }
  instances:
    - { name: leaf, model: leaf, positionM: [5, 0, 0], onGround: false }
${behind}`;
const wall = '    - { name: wall, model: wall, positionM: [6.25, 0, 0], onGround: false }\n';

const wide = rayCamera
  .replace('Mrad: 0, divergenceVerticalMrad: 0', 'Mrad: 20, divergenceVerticalMrad: 20')
  .replace('count: 1 ', 'count: 40 ')
  .replace(
    'mode: strongest, signalCutoffM: 0',
    'mode: all, maxReturns: 16, rangeResolutionM: 0.4, signalCutoffM: 0.4',
  );

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  const write = (name: string, content: string | Uint8Array): void => {
    writeFileSync(join(folder, name), content);
  };
  write('leaf.obj', leaf);
  write('leaf.mtl', 'newmtl leaf\nmap_Kd colour.png\nmap_d cut.png\n');
  write(
    'cut.png',
    encode({ width: side, height: side, channels: 1, data: Uint8Array.from(texels) }),
  );
  write(
    'colour.png',
    encode({ width: side, height: side, channels: 3, data: Uint8Array.from(colours) }),
  );
  const both = texels.flatMap((alpha, texel) => [
    ...colours.slice(3 * texel, 3 * texel + 3),
    alpha,
  ]);
  write(
    'both.png',
    encode({ width: side, height: side, channels: 4, data: Uint8Array.from(both) }),
  );
  write('leaf.ply', leafPly);
  write('alone.yaml', sceneOf('', ''));
  write('ply.yaml', sceneOf('', wall).replace('leaf.obj', 'leaf.ply'));
  write('before-wall.yaml', sceneOf('', wall));
  write('whole.yaml', sceneOf(', textures: false', ''));
  write('filled.yaml', sceneOf(', alphaThreshold: 0', ''));
  write('green.obj', leaf.replace('leaf.mtl', 'green.mtl'));
  write('green.mtl', 'newmtl leaf\nmap_d cut.png\n');
  write('green.yaml', sceneOf('', wall).replace('leaf.obj', 'green.obj'));
  write('camera.yaml', rayCamera);
  write('wide.yaml', wide);
});

/** Rows of numbers of a scan. */
async function scan(scene: string, sensor: string, columns: string): Promise<number[][]> {
  const { exitCode, stderr } = await runHere(
    folder,
    ...['scan', join(folder, scene), '--sensor', join(folder, sensor), '--pose', '0,0,0,0'],
    ...['--seconds', '0.1', '--columns', columns, '--misses', '--force', '--out', 'out.csv'],
  );
  expect([exitCode, stderr]).toEqual([0, expect.anything()]);
  const [, ...lines] = readFileSync(join(folder, 'out.csv'), 'utf8').trimEnd().split('\n');
  return lines.map((line) => line.split(',').map((text) => (text === '' ? NaN : Number(text))));
}

/** The texel on a ray, and how far the ray is from the texel's edge. */
function texelOn(azimuthRad: number, elevationRad: number) {
  const u = (1 - 5 * Math.tan(azimuthRad)) * (side / 2);
  const v = (1 - (5 * Math.tan(elevationRad)) / Math.cos(azimuthRad)) * (side / 2);
  const toEdge = Math.min(...[u, v].map((at) => Math.abs(at - Math.round(at))));
  const isInside = u > 0 && u < side && v > 0 && v < side;
  return { column: Math.floor(u), row: Math.floor(v), toEdge, isInside };
}

describe('a leaf cut by its image', () => {
  it('is hit where its texels are opaque, and nowhere else', async () => {
    let inside = 0;
    let hits = 0;
    for (const [azimuth = 0, elevation = 0, range = 0] of await scan(
      'alone.yaml',
      'camera.yaml',
      'azimuth_rad,elevation_rad,range_m',
    )) {
      const { column, row, toEdge, isInside } = texelOn(azimuth, elevation);
      if (toEdge < 1e-4) continue;
      expect([column, row, Number.isFinite(range)]).toEqual([
        column,
        row,
        isInside && isOpaque(column, row),
      ]);
      inside += isInside ? 1 : 0;
      hits += Number.isFinite(range) ? 1 : 0;
    }
    expect(inside).toBeGreaterThan(6000);
    expect(hits).toBeGreaterThan(1500);
  });

  it('has the colours of its image, other surfaces those of their material', async () => {
    const columns = 'azimuth_rad,elevation_rad,range_m,red,green,blue';
    let leaves = 0;
    for (const [azimuth = 0, elevation = 0, range = 0, ...rgb] of await scan(
      'before-wall.yaml',
      'camera.yaml',
      columns,
    )) {
      const { column, row, toEdge, isInside } = texelOn(azimuth, elevation);
      if (toEdge < 1e-4) continue;
      const isLeaf = isInside && isOpaque(column, row);
      expect(rgb).toEqual(isLeaf ? [10 * column, 20 * row, 77] : [0x10, 0x20, 0x30]);
      expect(range > 5.9).toBe(!isLeaf);
      leaves += isLeaf ? 1 : 0;
    }
    expect(leaves).toBeGreaterThan(1500);
  });

  it('is the same from a PLY file whose image has colours and alpha', async () => {
    const columns = 'pulse,range_m,object_id,red,green,blue';
    const fromObj = await scan('before-wall.yaml', 'camera.yaml', columns);
    expect(await scan('ply.yaml', 'camera.yaml', columns)).toEqual(fromObj);
  });

  it('shows the wall through its holes in a render', async () => {
    const sizePx = 176;
    const { exitCode } = await runHere(
      folder,
      ...['render', join(folder, 'green.yaml'), '--camera', '0,0,0,0,0', '--fov-deg', '30'],
      ...['--size', `${String(sizePx)}x${String(sizePx)}`, '--samples', '4', '--out', 'leaf.png'],
    );
    expect(exitCode).toBe(0);
    const picture = decode(readFileSync(join(folder, 'leaf.png')));
    const pxPerM = sizePx / 2 / Math.tan((15 * Math.PI) / 180) / 5;
    for (let texel = 0; texel < side * side; texel++) {
      const [column, row] = [texel % side, Math.floor(texel / side)];
      // The pixel at the middle of the texel, which is 16 pixels wide.
      const place = (at: number): number => Math.floor(sizePx / 2 + ((at - 3.5) / 4) * pxPerM);
      const at = picture.channels * (place(row) * sizePx + place(column));
      const [, green = 0, blue = 0] = picture.data.slice(at, at + 3);
      // The leaf is green, the wall behind it blue.
      expect([column, row, green > blue]).toEqual([column, row, isOpaque(column, row)]);
    }
  });

  it('lets the rest of a beam through to the wall: shares add up to 1', async () => {
    const shares = new Map<number, { sum: number; rows: number }>();
    for (const [pulse = 0, share = 0] of await scan(
      'before-wall.yaml',
      'wide.yaml',
      'pulse,beam_share',
    )) {
      const known = shares.get(pulse) ?? { sum: 0, rows: 0 };
      shares.set(pulse, { sum: known.sum + share, rows: known.rows + 1 });
    }
    expect(shares.size).toBe(101 * 101);
    expect([...shares.values()].filter(({ sum }) => Math.abs(sum - 1) > 1e-6)).toEqual([]);
    expect([...shares.values()].filter(({ rows }) => rows === 2).length).toBeGreaterThan(500);
  });

  it('is whole without textures, or with every alpha above the threshold', async () => {
    for (const scene of ['whole.yaml', 'filled.yaml']) {
      const rows = await scan(scene, 'camera.yaml', 'azimuth_rad,elevation_rad,range_m');
      const odd = rows.filter(([azimuth = 0, elevation = 0, range = 0]) => {
        const { toEdge, isInside } = texelOn(azimuth, elevation);
        return toEdge > 1e-4 && isInside !== Number.isFinite(range);
      });
      expect(odd).toEqual([]);
    }
  });

  it('exports colours as each format has them', async () => {
    for (const format of ['las', 'pcd', 'ply']) {
      const { exitCode } = await runHere(
        folder,
        ...['scan', join(folder, 'before-wall.yaml'), '--sensor', join(folder, 'camera.yaml')],
        ...['--pose', '0,0,0,0', '--seconds', '0.1', '--out', `out.${format}`, '--force'],
        ...['--columns', 'x_m,y_m,z_m,range_m,red,green,blue'],
      );
      expect(exitCode).toBe(0);
    }
    const las = readFileSync(join(folder, 'out.las'));
    expect(las.readUInt8(104)).toBe(7);
    // Format 7: 36 bytes, and range_m.
    expect(las.readUInt16LE(105)).toBe(40);
    const first = las.readUInt32LE(96);
    // The first pixel looks past the leaf.
    const rgb = [30, 32, 34].map((at) => las.readUInt16LE(first + at));
    expect(rgb).toEqual([0x1010, 0x2020, 0x3030]);
    const pcd = readFileSync(join(folder, 'out.pcd'));
    const body = pcd.subarray(pcd.indexOf('DATA binary\n') + 'DATA binary\n'.length);
    expect(pcd.toString('latin1')).toContain('FIELDS x y z range_m rgb');
    expect(body.readUInt32LE(16)).toBe(0x102030);
    const ply = readFileSync(join(folder, 'out.ply'), 'latin1');
    expect(ply).toContain('property uchar red\nproperty uchar green\nproperty uchar blue\n');
  });

  it('has notes for images that are missing, and problems for broken ones', async () => {
    const run = () => runHere(folder, 'scenario', 'check', join(folder, 'alone.yaml'));
    const check = async (): Promise<string> => (await run()).stderr;
    for (const name of ['none.png', '../cut.png']) {
      writeFileSync(join(folder, 'leaf.mtl'), `newmtl leaf\nmap_d ${name}\n`);
      const { exitCode, stderr } = await run();
      expect(exitCode).toBe(0);
      expect(stderr).toContain(`scene.models.leaf: without '${name}'`);
    }
    writeFileSync(
      join(folder, 'broken.png'),
      readFileSync(join(folder, 'cut.png')).subarray(0, 40),
    );
    writeFileSync(join(folder, 'leaf.mtl'), 'newmtl leaf\nmap_d broken.png\n');
    expect(await check()).toContain('scene.models.leaf.file: broken.png: expected a PNG image');
    writeFileSync(
      join(folder, 'wide.png'),
      encode({ width: 16385, height: 1, channels: 1, data: new Uint8Array(16385) }),
    );
    writeFileSync(join(folder, 'leaf.mtl'), 'newmtl leaf\nmap_d wide.png\n');
    expect(await check()).toMatch(
      /scene\.models\.leaf\.file: wide\.png: .* found 16385 by 1; 'textures: false' ignores images/,
    );
    const { exitCode } = await runHere(folder, 'scenario', 'check', join(folder, 'whole.yaml'));
    expect(exitCode).toBe(0);
  });
});
