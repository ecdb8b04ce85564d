// Octrees of files of points: LAS, LAZ, PLY and PCD as they are found, without a trajectory; in metres, and far from zero.
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pointFileEndings } from '#contract/host/cloudMethods.ts';
import { pointEndings } from '#recordings/foreign/points/pointFile.ts';
import { writeLas, type LasPoint } from '#test/services/logs/lasFiles.ts';
import { callContext } from '#test/support/context.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { openHost, type OpenHost } from '#test/support/host.ts';
import { openedCloud } from './openedCloud.ts';

const offset = [636_000, 850_000, 500] as const;
const points: LasPoint[] = Array.from({ length: 100 }, (_, row) => ({
  positionM: [offset[0] + row, offset[1] + 10, offset[2] + 2],
  timeS: row / 100,
  intensity: 100 + row,
  classification: row % 2 === 0 ? 2 : 5,
  isWithheld: row === 99,
}));

async function rowsOf(host: OpenHost, file: string): Promise<{ head: unknown; rows: number[][] }> {
  const { head, points: found } = await openedCloud(host.handlers, { file });
  const rows = found.split('\n').map((line) => line.split(',').map(Number));
  return { head, rows: rows.toSorted(([a = 0], [b = 0]) => a - b) };
}

it('reads the endings that the page offers', () => {
  expect([...pointFileEndings].toSorted()).toEqual([...pointEndings].toSorted());
});

it('shows a LAS file without a trajectory: positions, intensities, classes, but nothing withheld', async () => {
  const file = join(temporaryFolder(), 'plot.las');
  writeLas(file, points, offset);
  const { head, rows } = await rowsOf(await openHost(), file);
  expect(head).toMatchObject({ points: 99, originM: [...offset] });
  expect(head).toHaveProperty('classes.2', 'ground');
  expect(rows.slice(0, 2)).toEqual([
    [0, 10, 2, 100, 2],
    [1, 10, 2, 101, 5],
  ]);
  expect(rows).toHaveLength(99);
});

it('converts feet to metres, and refuses degrees', async () => {
  const host = await openHost();
  const [feet, degrees] = ['feet.las', 'degrees.las'].map((name) => join(temporaryFolder(), name));
  writeLas(feet!, points, offset, { geoKeys: { 1024: 1, 3072: 2994, 3076: 9002 } });
  const { head, rows } = await rowsOf(host, feet!);
  const { originM } = head as { originM: number[] };
  expect(originM[0]).toBeCloseTo(offset[0] * 0.3048, 6);
  expect(rows[1]?.[0]).toBeCloseTo(0.3048, 6);
  writeLas(degrees!, points, offset, { geoKeys: { 1024: 2, 2048: 4326 } });
  await expect(rowsOf(host, degrees!)).rejects.toThrow(/not in metres|projected coordinates/);
});

it('counts places of a PLY far from zero from its first one', async () => {
  const file = join(temporaryFolder(), 'far.ply');
  const head = ['x', 'y', 'z'].map((name) => `property double ${name}\n`).join('');
  const body = `500000.25 5400000.5 120.125\n500001.25 5400000.5 nan\n500002.75 5400001 121\n`;
  writeFileSync(file, `ply\nformat ascii 1.0\nelement vertex 3\n${head}end_header\n${body}`);
  const { head: octree, rows } = await rowsOf(await openHost(), file);
  expect(octree).toMatchObject({ points: 2, originM: [500_000, 5_400_001, 120] });
  expect(rows.map((row) => row.slice(0, 3))).toEqual([
    [0.25, -0.5, 0.125],
    [2.75, 0, 1],
  ]);
});

it('has the colours of LAS, of 16 bit and of 8 bit in fields of 16', async () => {
  const host = await openHost();
  const file = join(temporaryFolder(), 'coloured.las');
  const coloursOf = async (format: number, most: number): Promise<unknown> => {
    const colours = [most, Math.floor(most / 2), 0, 0] as const;
    const coloured = points.map((point) => ({ ...point, colours }));
    writeLas(file, coloured, offset, { format });
    utimesSync(file, new Date(), new Date(Date.now() + 1000 * (format + most)));
    const { head, rows } = await rowsOf(host, file);
    expect(rows).toHaveLength(99);
    return [head, ...new Set(rows.map((row) => row.slice(5).join()))];
  };
  const coloured = expect.objectContaining({ hasColour: true }) as unknown;
  for (const format of [2, 3, 5, 7, 8, 10]) {
    const most = format % 5 === 2 ? 65_535 : 255;
    expect(await coloursOf(format, most)).toEqual([coloured, '255,127,0']);
  }
  const colourless = expect.objectContaining({ hasColour: false }) as unknown;
  expect(await coloursOf(2, 0)).toEqual([colourless, '']);
  expect(await coloursOf(1, 255)).toEqual([colourless, '']);
});

it('has the colours of PLY and PCD, as bytes, from 0 to 1, and packed', async () => {
  const host = await openHost();
  const folder = temporaryFolder();
  const coloursIn = async (name: string, content: string | Uint8Array): Promise<unknown> => {
    writeFileSync(join(folder, name), content);
    const { rows } = await rowsOf(host, join(folder, name));
    return rows.map((row) => row.slice(5));
  };
  const ply = (type: string, names: string[], body: string): string =>
    `ply\nformat ascii 1.0\nelement vertex 2\n${[
      ...['x', 'y', 'z'].map((name) => `property float ${name}\n`),
      ...names.map((name) => `property ${type} ${name}\n`),
    ].join('')}end_header\n${body}`;
  const pcd = (type: string, data: string): string =>
    `VERSION 0.7\nFIELDS x y z rgb\nSIZE 4 4 4 4\nTYPE F F F ${type}\nCOUNT 1 1 1 1\nWIDTH 2\nHEIGHT 1\nPOINTS 2\nDATA ${data}\n`;
  const names = ['red', 'green', 'blue'];
  const expected = [
    [255, 128, 0],
    [1, 2, 3],
  ];
  const bytes = '0 0 0 255 128 0\n1 0 0 1 2 3\n';
  expect(await coloursIn('bytes.ply', ply('uchar', names, bytes))).toEqual(expected);
  const diffuse = names.map((name) => `diffuse_${name}`);
  expect(await coloursIn('diffuse.ply', ply('uchar', diffuse, bytes))).toEqual(expected);
  const shares = '0 0 0 1 0.5 0\n1 0 0 0.004 0.008 0.012\n';
  expect(await coloursIn('shares.ply', ply('float', names, shares))).toEqual(expected);
  const packed = [0xff8000, 0x010203] as const;
  const whole = `0 0 0 ${packed[0]}\n1 0 0 ${packed[1]}\n`;
  expect(await coloursIn('whole.pcd', pcd('U', 'ascii') + whole)).toEqual(expected);
  const [first, second] = packed.map((bits) => new Float32Array(Uint32Array.of(bits).buffer)[0]);
  const real = `0 0 0 ${first}\n1 0 0 ${second}\n`;
  expect(await coloursIn('real.pcd', pcd('F', 'ascii') + real)).toEqual(expected);
  // With an alpha of 255 the real number is none.
  const rows = new DataView(new ArrayBuffer(32));
  rows.setFloat32(16, 1, true);
  for (const [row, bits] of packed.entries())
    rows.setUint32(16 * row + 12, 0xff000000 + bits, true);
  const binary = Buffer.concat([Buffer.from(pcd('F', 'binary')), new Uint8Array(rows.buffer)]);
  expect(await coloursIn('alpha.pcd', binary)).toEqual(expected);
});

it('makes the octree again once the file is another, and names a damaged one', async () => {
  const host = await openHost();
  const file = join(temporaryFolder(), 'plot.las');
  writeLas(file, points, offset);
  const first = await openedCloud(host.handlers, { file });
  writeLas(file, points.slice(0, 50), offset);
  utimesSync(file, new Date(), new Date(Date.now() + 5000));
  const second = await openedCloud(host.handlers, { file });
  expect([first.head.points, second.head.points]).toEqual([99, 50]);
  writeFileSync(file, readFileSync(file).subarray(0, 400));
  await expect(openedCloud(host.handlers, { file })).rejects.toThrow(/plot\.las/);
});

it('takes a file that a page sends into the folder of clouds, each under a name of its own', async () => {
  const host = await openHost();
  const source = join(temporaryFolder(), 'plot.las');
  writeLas(source, points, offset);
  const bytes = new Uint8Array(readFileSync(source));
  const keep = async (name: string): Promise<string> => {
    const request = { name, totalBytes: bytes.length, offset: 0, isDiscarded: false };
    const { reply } = await host.handlers['runs.receive'](request, {
      ...callContext,
      columns: { bytes },
    });
    const kept = await host.handlers['cloud.keep']({ upload: reply.upload }, callContext);
    return kept.reply.file;
  };
  const files = [await keep('plot.las'), await keep('plot.las')];
  const { folder, clouds } = await host.ask('cloud.list', { files: ['/nowhere/x.laz'] });
  expect(files).toEqual([join(folder, 'plot.las'), join(folder, 'plot-2.las')]);
  expect(clouds.map(({ file }) => file).toSorted()).toEqual(
    [...files, '/nowhere/x.laz'].toSorted(),
  );
  expect(clouds.find(({ file }) => file === '/nowhere/x.laz')?.problem).toMatch(/no file|not/);
  const { head } = await openedCloud(host.handlers, { file: files[1]! });
  expect(head.points).toBe(99);
  await expect(keep('plot.txt')).rejects.toThrow("found 'plot.txt'");
});
