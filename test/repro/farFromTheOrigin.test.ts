// Positions of the world were single precision: at UTM coordinates a wall at 10.01 m was measured at 10.45 m, a post 2
// cm wide was missed by every pixel, and nothing said so (E8 and F-1 of the physics review). With scene.origin they are
// right; without one such positions are refused.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { runHere, type Finished } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

type Origin = readonly [number, number, number];
const utm: Origin = [500_000, 5_400_000, 300];
let folder = '';
let image = '';

/** A wall across the view and a post 2 cm wide before it, about any place. */
function scene([x, y, z]: Origin, origin: Origin | null): string {
  return `
understory: 2
name: post
scene:
  ${origin === null ? '' : `origin: [${origin.join(', ')}]\n  crs: EPSG:25832`}
  materials: { white: { reflectance: 1 }, grey: { reflectance: 0.5 } }
  models:
    wall: { kind: plane, sizeM: [40, 40], material: white }
    post: { kind: box, sizeM: [0.02, 0.02, 2], material: grey }
    block: { kind: box, sizeM: [40, 0.1, 40], material: grey }
  instances:
    - { name: wall, model: wall, positionM: [${x + 10.3}, ${y}, ${z}], pitchDeg: -90, onGround: false }
    - { name: post, model: post, positionM: [${x + 5.3}, ${y + 0.137}, ${z}], onGround: false }
    - { name: block, model: block, positionM: [${x}, ${y + 10.3}, ${z}], onGround: false }
`;
}

const sensor = `
understorySensor: 3
id: image
name: One row of pixels
source: none
scan: { kind: image, rateHz: 10, columns: 101, rows: 1, horizontalFovDeg: 11.534631994818165 }
range: { minM: 0, maxM: 1000 }
beam: { shape: circular, divergenceHorizontalMrad: 0, divergenceVerticalMrad: 0, stencil: rays, rays: { count: 1 } }
returns: { mode: strongest, signalCutoffM: 0 }
`;

beforeEach(() => {
  folder = temporaryFolder();
  image = written('image.yaml', sensor);
});

function written(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** Runs `understory scan` from that pose. */
async function scan(file: string, pose: readonly number[], out: string): Promise<Finished> {
  const place = [`--pose=${pose.join(',')}`, '--seconds', '0.001'];
  const columns = ['--columns', 'range_m,object_id,x_m,y_m,z_m,hit_x_m,hit_y_m,hit_z_m'];
  return runHere(folder, 'scan', file, '--sensor', image, ...place, ...columns, '--out', out);
}

/** Rows of numbers of a CSV file. */
async function rowsOf(file: string, pose: readonly number[], out: string): Promise<number[][]> {
  const { exitCode, stderr } = await scan(file, pose, out);
  expect(stderr).toContain('101 pulses');
  expect(exitCode).toBe(0);
  const [, ...lines] = readFileSync(out, 'utf8').trimEnd().split('\n');
  return lines.map((line) => line.split(',').map(Number));
}

function posed([x, y, z]: Origin, yawDeg: number): number[] {
  return [x + 0.1, y + 0.137, z + 0.1, yawDeg];
}

it('scans a scene at UTM coordinates as at zero, to a tenth of a millimetre', async () => {
  const zero: Origin = [0, 0, 0];
  const near = written('near.yaml', scene(zero, null));
  const far = written('far.yaml', scene(utm, utm));
  for (const yawDeg of [0, 90]) {
    const expected = await rowsOf(near, posed(zero, yawDeg), join(folder, `near${yawDeg}.csv`));
    const rows = await rowsOf(far, posed(utm, yawDeg), join(folder, `far${yawDeg}.csv`));
    expect(rows).toHaveLength(expected.length);
    for (const [index, [rangeM = NaN, object, ...places]] of rows.entries()) {
      const [expectedM = NaN, expectedObject, ...expectedPlaces] = expected[index] ?? [];
      expect(object).toBe(expectedObject);
      expect(Math.abs(rangeM - expectedM)).toBeLessThan(1e-4);
      for (const [part, m] of places.entries()) {
        const relativeM = m - (utm[part % 3] ?? NaN);
        expect(Math.abs(relativeM - (expectedPlaces[part] ?? NaN))).toBeLessThan(1e-4);
      }
    }
    if (yawDeg === 0) {
      // The post straight ahead, 5.19 m away, and the wall behind it.
      const middle = rows[50] ?? [];
      expect(middle[1]).toBe(2);
      expect(Math.abs((middle[0] ?? NaN) - 5.19)).toBeLessThan(1e-4);
    } else {
      // E8: the front of the block is at y + 10.25.
      expect(Math.abs((rows[50]?.[0] ?? NaN) - (10.25 - 0.137))).toBeLessThan(1e-4);
    }
  }
});

it('refuses positions more than 10 km from the origin, with the place of each', async () => {
  const astray = written('astray.yaml', scene(utm, null));
  const { exitCode, stdout, stderr } = await runHere(folder, 'scenario', 'check', astray);
  expect(exitCode).not.toBe(0);
  for (const index of [0, 1, 2]) {
    expect(stdout + stderr).toContain(
      `scene.instances[${index}].positionM: expected a place within`,
    );
  }
  const far = written('far.yaml', scene(utm, utm));
  const refused = await scan(far, [0, 0, 0, 0], join(folder, 'none.csv'));
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toContain('pose: expected a place within 10 km of scene.origin');
});

it('refuses unknown codes of coordinate systems, and systems in degrees', async () => {
  for (const crs of ['EPSG:1', 'EPSG:4326', 'GEOGCS["WGS 84"]', 'UTM 32']) {
    const text = scene(utm, utm).replace('EPSG:25832', `'${crs}'`);
    const { exitCode, stdout, stderr } = await runHere(
      folder,
      ...['scenario', 'check', written('unknown.yaml', text)],
    );
    expect(exitCode).not.toBe(0);
    expect(stdout + stderr).toContain('scene.crs: expected');
  }
});

it('writes LAS files with the origin as offset and the coordinate system', async () => {
  const far = written('far.yaml', scene(utm, utm));
  const out = join(folder, 'far.las');
  expect((await scan(far, posed(utm, 0), out)).exitCode).toBe(0);
  const bytes = readFileSync(out);
  expect([155, 163, 171].map((at) => bytes.readDoubleLE(at))).toEqual([...utm]);
  const point = bytes.readUInt32LE(96);
  const xM = bytes.readInt32LE(point) * bytes.readDoubleLE(131) + bytes.readDoubleLE(155);
  // The first pixel meets the wall, which stands at x + 10.3.
  expect(Math.abs(xM - (utm[0] + 10.3))).toBeLessThan(1e-4);
  // Bounds: the greatest x.
  expect(Math.abs(bytes.readDoubleLE(179) - (utm[0] + 10.3))).toBeLessThan(1e-4);
  const wkt = bytes.toString('latin1', 375 + 54, point).replace(/\0.*$/s, '');
  expect(wkt).toMatch(/^PROJCS\["ETRS89 \/ UTM zone 32N",.*AUTHORITY\["EPSG","25832"\]\]$/);
});

it('writes doubles to PLY, and says what PCD positions are relative to', async () => {
  const far = written('far.yaml', scene(utm, utm));
  const [ply, pcd] = [join(folder, 'far.ply'), join(folder, 'far.pcd')];
  expect((await scan(far, posed(utm, 0), ply)).exitCode).toBe(0);
  expect((await scan(far, posed(utm, 0), pcd)).exitCode).toBe(0);
  const bytes = readFileSync(ply);
  const end = bytes.indexOf('end_header\n') + 'end_header\n'.length;
  expect(bytes.toString('latin1', 0, end)).toContain('property double x\nproperty double y');
  expect(Math.abs(bytes.readDoubleLE(end) - (utm[0] + 10.3))).toBeLessThan(1e-4);
  const head = readFileSync(pcd).toString('latin1', 0, 2000);
  expect(head).toContain('# x y z are relative to the world position 500000 5400000 300\n');
  expect(head).toContain('# coordinate reference system: EPSG:25832\n');
  expect(head).toMatch(/\nSIZE 4 4 4 /);
});

it('takes meshes at coordinates of their own as far away, in double precision', async () => {
  // A board 1.2 m wide, 10.2 m before the sensor: rounded to singles, it was 1 m wide.
  const corners = [-0.6, 0.6].flatMap((dy) => [-2, 2].map((dz) => [10.3, dy + 0.137, dz + 0.1]));
  const vertices = corners.map((corner) => corner.map((m, axis) => m + (utm[axis] ?? 0)).join(' '));
  const formats = {
    'board.ply': [
      ...['ply', 'format ascii 1.0', 'element vertex 4', 'property double x', 'property double y'],
      ...['property double z', 'element face 1', 'property list uchar int vertex_indices'],
      ...['end_header', ...vertices, '4 0 1 3 2', ''],
    ],
    'board.obj': [...vertices.map((vertex) => `v ${vertex}`), 'f 1 2 4 3', ''],
    'board.stl': [
      'solid board',
      ...[
        [0, 1, 3],
        [0, 3, 2],
      ].flatMap((triangle) => [
        'facet normal 1 0 0',
        'outer loop',
        ...triangle.map((corner) => `vertex ${vertices[corner] ?? ''}`),
        'endloop',
        'endfacet',
      ]),
      'endsolid board',
      '',
    ],
  };
  // The mesh lies where its file has it, or an instance moves it back to the origin.
  const placings = [
    { origin: utm, positionM: [0, 0, 0] },
    { origin: null, positionM: utm.map((m) => -m) },
  ];
  for (const [name, lines] of Object.entries(formats)) {
    written(name, lines.join('\n'));
    for (const { origin, positionM } of placings) {
      const board = written(
        'board.yaml',
        `
understory: 2
name: board
scene:
  ${origin === null ? '' : `origin: [${origin.join(', ')}]`}
  materials: { white: { reflectance: 1 } }
  models: { board: { kind: mesh, file: ${name}, unit: m, upAxis: z, material: white } }
  instances:
    - { name: board, model: board, positionM: [${positionM.join(', ')}], onGround: false }
`,
      );
      const rows = await rowsOf(
        board,
        posed(origin ?? [0, 0, 0], 0),
        join(folder, `${name}-${origin === null ? 0 : 1}.csv`),
      );
      // Pixels are 0.2/101 rad apart in tangent: half of the board covers 0.6 m of 10.2 m.
      expect(rows.length).toBeGreaterThan(50);
      for (const [rangeM = NaN, , xM = NaN, yM = NaN] of rows) {
        const [dx, dy] = [xM - (origin?.[0] ?? 0) - 0.1, yM - (origin?.[1] ?? 0) - 0.137];
        expect(Math.abs(dx - 10.2)).toBeLessThan(1e-4);
        expect(Math.abs(dy)).toBeLessThan(0.6 + 1e-4);
        expect(Math.abs(rangeM - Math.hypot(10.2, dy))).toBeLessThan(1e-4);
      }
    }
  }
});

it('refuses a mesh that its placing leaves far away, when its file is read', async () => {
  written('board.obj', 'v 1 0 0\nv 1 1 0\nv 1 0 1\nf 1 2 3\n');
  const text = scene(utm, utm)
    .replace(
      'block: { kind: box, sizeM: [40, 0.1, 40], material: grey }',
      'block: { kind: mesh, file: board.obj, unit: m, upAxis: z, material: grey }',
    )
    .replace(`[${utm[0]}, ${utm[1] + 10.3}, ${utm[2]}]`, '[0, 0, 0]');
  const { exitCode, stdout, stderr } = await runHere(
    folder,
    ...['scenario', 'check', written('astray.yaml', text)],
  );
  expect(exitCode).not.toBe(0);
  expect(stdout + stderr).toContain('scene.models.block.file:');
  expect(stdout + stderr).toContain('expected instances within 10 km of scene.origin');
});
