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
