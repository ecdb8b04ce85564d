// Learned models read by CloudCompare, MeshLab, PCL and Open3D: the vertices and triangles that the file has, with the
// properties that a program keeps.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { ran } from '#test/support/commandLine.ts';

const readers = path.join(import.meta.dirname, 'readers.py');
const folder = temporaryFolder();
const fileOf = (name: string): string => path.join(folder, name);

async function run(...args: string[]): Promise<void> {
  await ran(folder, ...args);
}

beforeAll(async () => {
  const place = ['--pose', '-8,-8,2,0', '--seconds', '0.3'];
  await run('scan', 'clearing', '--sensor', 'vlp-16', ...place, '--out', 'yard.log');
  await run('learn', 'yard.log', '--model', 'hybrid', '--out', 'hybrid.ply');
  await run('learn', 'yard.log', '--model', 'voxel', '--out', 'voxel.ply');
});
/** Vertices by property, and the corners of triangles. */
interface Ply {
  vertices: Record<string, number[]>;
  triangles: number[][];
}

type Get = (view: DataView, at: number) => number;
const types: Record<string, [bytes: number, get: Get]> = {
  float: [4, (view, at) => view.getFloat32(at, true)],
  uchar: [1, (view, at) => view.getUint8(at)],
  ushort: [2, (view, at) => view.getUint16(at, true)],
  uint: [4, (view, at) => view.getUint32(at, true)],
  int: [4, (view, at) => view.getInt32(at, true)],
};

/** Little-endian PLY with vertices, then faces whose list of corners comes first. */
function plyOf(name: string): Ply {
  const bytes = readFileSync(fileOf(name));
  const end = bytes.indexOf('end_header\n') + 11;
  const [, ...elements] = bytes.toString('latin1', 0, end).split(/^element /m);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ply: Ply = { vertices: {}, triangles: [] };
  let at = end;
  for (const element of elements) {
    const [, kind = '', count = '0'] = /^(\S+) (\d+)/.exec(element) ?? [];
    const properties = [...element.matchAll(/^property (?:list uchar )?(\S+) (\S+)$/gm)];
    for (let row = 0; row < Number(count); row++) {
      for (const [whole, type = '', property = ''] of properties) {
        const [size, get] = types[type] ?? [0, () => NaN];
        const values = whole.includes('list') ? view.getUint8(at++) : 1;
        const read: number[] = [];
        for (let value = 0; value < values; value++, at += size) read.push(get(view, at));
        if (kind === 'vertex') (ply.vertices[property] ??= []).push(...read);
        else if (whole.includes('list')) ply.triangles.push(read);
      }
    }
  }
  return ply;
}

function expectNear(
  found: readonly number[] | undefined,
  expected: readonly number[] | undefined,
  tolerance: number,
): void {
  expect(found).toHaveLength(expected?.length ?? NaN);
  const worst = (expected ?? []).reduce(
    (most, value, at) => Math.max(most, Math.abs((found?.[at] ?? NaN) - value)),
    0,
  );
  expect(worst).toBeLessThanOrEqual(tolerance);
}

const axes = ['x', 'y', 'z'];

it('the models have elements and triangles', () => {
  const hybrid = plyOf('hybrid.ply');
  expect(hybrid.triangles.length).toBeGreaterThan(500);
  expect(plyOf('voxel.ply').triangles).toHaveLength(0);
  expect(plyOf('voxel.ply').vertices['x']?.length).toBeGreaterThan(500);
});

describe('MeshLab', () => {
  it.each(['hybrid', 'voxel'])('reads the %s model, with its colours', (model) => {
    const args = ['-i', fileOf(`${model}.ply`), '-o', fileOf('meshlab.ply'), '-m', 'vc'];
    execFileSync('xvfb-run', ['-a', 'meshlabserver', ...args], { stdio: 'ignore' });
    const [own, read] = [plyOf(`${model}.ply`), plyOf('meshlab.ply')];
    for (const name of [...axes, 'red', 'green', 'blue']) {
      expectNear(read.vertices[name], own.vertices[name], 0);
    }
    expect(read.triangles).toEqual(own.triangles);
  });
});

describe('CloudCompare', () => {
  const options = ['-SILENT', '-AUTO_SAVE', 'OFF', '-C_EXPORT_FMT', 'ASC', '-PREC', '6'];
  const environment = { ...process.env, QT_QPA_PLATFORM: 'offscreen' };
  const lines = (name: string, start: RegExp): number[][] =>
    readFileSync(fileOf(name), 'utf8')
      .split('\n')
      .filter((line) => start.test(line))
      .map((line) => line.replace(/^[vf]/, '').trim().split(/[ /]+/).map(Number));

  it('reads the triangles of a hybrid model', () => {
    const work = ['-O', fileOf('hybrid.ply'), '-SAVE_MESHES', 'FILE', fileOf('cc.obj')];
    execFileSync('CloudCompare', [...options, '-M_EXPORT_FMT', 'OBJ', ...work], {
      env: environment,
      stdio: 'ignore',
    });
    const own = plyOf('hybrid.ply');
    const places = lines('cc.obj', /^v /);
    for (const [axis, name] of axes.entries()) {
      expectNear(
        places.map((place) => place[axis] ?? NaN),
        own.vertices[name],
        1e-4,
      );
    }
    expect(lines('cc.obj', /^f /)).toHaveLength(own.triangles.length);
  });

  it('reads the elements of a voxel model', () => {
    const work = ['-O', fileOf('voxel.ply'), '-SAVE_CLOUDS', 'FILE', fileOf('cc.asc')];
    execFileSync('CloudCompare', [...options, ...work], { env: environment, stdio: 'ignore' });
    const own = plyOf('voxel.ply');
    const places = lines('cc.asc', /^-?\d/);
    for (const [axis, name] of axes.entries()) {
      expectNear(
        places.map((place) => place[axis] ?? NaN),
        own.vertices[name],
        1e-5,
      );
    }
  });
});

it('PCL reads every property of the elements', () => {
  execFileSync('pcl_ply2pcd', [fileOf('voxel.ply'), fileOf('voxel.pcd')], { stdio: 'ignore' });
  const ascii = [fileOf('voxel.pcd'), fileOf('ascii.pcd'), '0', '12'];
  execFileSync('pcl_convert_pcd_ascii_binary', ascii, { stdio: 'ignore' });
  const text = readFileSync(fileOf('ascii.pcd'), 'utf8');
  const names = /^FIELDS (.*)$/m.exec(text)?.[1]?.split(' ') ?? [];
  const rows = text
    .slice(text.indexOf('DATA ascii') + 11)
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
  const { vertices } = plyOf('voxel.ply');
  const kept = Object.keys(vertices).filter((name) => !['red', 'green', 'blue'].includes(name));
  expect(names).toEqual(expect.arrayContaining(kept));
  for (const name of kept) {
    const column = names.indexOf(name);
    expectNear(
      rows.map((row) => row[column] ?? NaN),
      vertices[name],
      1e-6,
    );
  }
});

it('Open3D reads the triangles', () => {
  const text = execFileSync('/usr/bin/python3', [readers, 'open3d-mesh', fileOf('hybrid.ply')], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  const read = JSON.parse(text) as { x: number[]; triangles: number[][] };
  const own = plyOf('hybrid.ply');
  expectNear(read.x, own.vertices['x'], 0);
  expect(read.triangles).toEqual(own.triangles);
});
