// Parts of a log that leave no beam, that end before they begin, or that need azimuths that the source lacks; numbers
// and times in CSV that are wrong; poses that do not cover files named by their times.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { imported, refusal } from './imported.ts';
import { identity, importTo, logs } from './importTo.ts';
import { tumText, writePcd } from './pointFiles.ts';

const names = 'time_s,origin_x_m,origin_y_m,origin_z_m,direction_x,direction_y,direction_z,range_m';

/** A file of these lines. */
function csv(lines: readonly string[], head = names): string {
  const file = join(temporaryFolder(), 'beams.csv');
  writeFileSync(file, [head, ...lines, ''].join('\n'));
  return file;
}

const beams = ['0,0,0,2,1,0,0,12.5', '0.5,0,0,2,0,1,0,20', '1.25,0,0,2,0,0,1,30'];

/** Message of the one problem. */
const problem = (path: string, message: string): object => ({
  problems: [
    expect.objectContaining({
      path,
      message: expect.stringContaining(message) as string,
    }) as object,
  ],
});

describe('parts of a log', () => {
  it('that hold no beam are refused with the extent of the source', async () => {
    const out = join(temporaryFolder(), 'x.log');
    const empty = importTo(out, csv(beams), { fromS: 5 });
    await expect(empty).rejects.toMatchObject({ code: 'bad-input' });
    expect(existsSync(out)).toBe(false);
    const extent = '1.250 s with ranges from 12.50 to 30.00 m';
    expect(await refusal(csv(beams), { fromS: 5 })).toMatchObject(problem('fromS', extent));
    expect(await refusal(csv(beams), { rangeM: [50, 60] })).toMatchObject(
      problem('rangeM', extent),
    );
    expect((await imported(csv(beams), { rangeM: [15, 60] })).beams).toHaveLength(2);
  });

  it.each([
    ['rangeM', { rangeM: [10, 5] }],
    ['rangeM', { rangeM: [-5, -1] }],
    ['toS', { fromS: 2, toS: 1 }],
    [
      'body',
      {
        body: [
          [1, 0, 0],
          [0, 1, 1],
        ],
      },
    ],
  ])('that end before they begin are refused: %s', async (path, options) => {
    expect(await refusal(csv(beams), options)).toMatchObject(problem(path, 'expected'));
  });

  it('by range keep the passes of the beams that ended behind them', async () => {
    const { reply, beams: kept } = await imported(csv(beams), { rangeM: [15, 25], maxM: 80 });
    // The first ended before the span and says nothing of it.
    expect(reply).toMatchObject({ beams: 2, returns: 1, misses: 1, missesAre: 'unknown' });
    expect(reply.notes).toEqual([
      'misses are unknown: the source states none; those of the log are the beams that ended behind 25 m (--range)',
    ]);
    const without = await imported(csv(beams));
    expect(without.reply.notes).toEqual(['misses are unknown: the source states none']);
    expect(kept.map(({ rangeM }) => rangeM)).toEqual([20, NaN]);
    const out = join(temporaryFolder(), 'x.log');
    await importTo(out, csv(beams), { rangeM: [15, 25], maxM: 80 });
    const log = await logs.open(out);
    expect(log.head.sensor).toMatchObject({ minM: 15, maxM: 25 });
    await log.close();
  });

  it('of azimuths are refused where the source has none', async () => {
    const azimuthDeg = [-90, 90];
    expect(await refusal(csv(beams), { azimuthDeg })).toMatchObject(
      problem('azimuthDeg', 'azimuths are unknown'),
    );
    const lines = beams.map((line, at) => `${line},${at}`);
    const known = csv(lines, `${names},azimuth_rad`);
    expect((await imported(known, { azimuthDeg })).beams).toHaveLength(2);
  });
});

describe('lines of CSV', () => {
  it('with NaN as the range are misses, and that is said', async () => {
    const { reply } = await imported(csv([...beams, '2,0,0,2,1,0,0,nan', '3,0,0,2,1,0,0,']));
    expect(reply).toMatchObject({ returns: 3, misses: 2 });
    expect(reply.notes).toEqual([expect.stringContaining('1 line with NaN as the range')]);
  });

  it.each(['', '0', '-1', 'inf', '-inf'])("with '%s' as the range are misses", async (range) => {
    const { reply } = await imported(csv([...beams, `2,0,0,2,1,0,0,${range}`]));
    expect(reply).toMatchObject({ returns: 3, misses: 1 });
  });

  it.each([
    ['NaN in the direction', '2,0,0,2,1,nan,0,4', 'line 5: direction_y is not a number'],
    ['a time before the last', '1.2,0,0,2,1,0,0,4', 'line 5: expected lines in the order'],
    ['a word as the range', '2,0,0,2,1,0,0,abc', "line 5: range_m is not a number: found 'abc'"],
    ['a hexadecimal range', '2,0,0,2,1,0,0,0x10', "line 5: range_m is not a number: found '0x10'"],
    ['a negative range', '2,0,0,2,1,0,0,-3.5', 'of a return as range_m, found -3.5'],
    ['a range that no beam has', '2,0,0,2,1,0,0,1e7', 'of a return as range_m, found 1e7'],
    ['a range that is nothing', '2,0,0,2,1,0,0,1e-46', 'of a return as range_m, found 1e-46'],
    ['an origin at the antipodes', '2,9e6,0,2,1,0,0,4', 'line 5: expected an origin within'],
  ])('with %s are refused', async (_, line, message) => {
    expect(await refusal(csv([...beams, line]))).toMatchObject(problem('source', message));
  });

  it.each([
    ['laser', '70000', 'expected a whole number from 0 to 65535 as laser, found 70000'],
    ['laser', '-1', 'as laser, found -1'],
    ['laser', '1.5', 'as laser, found 1.5'],
    ['sweep', '-3', 'as sweep, found -3'],
    ['label', '7', 'expected a whole number from 0 to 2 as label, found 7'],
    ['state', '2', 'expected no range of a beam without a return (state 2), found 12.5'],
  ])('with an odd %s (%s) are refused', async (name, cell, message) => {
    const file = csv([`${beams[0] ?? ''},${cell}`], `${names},${name}`);
    expect(await refusal(file)).toMatchObject(problem('source', message));
  });
});

describe('files named by their times', () => {
  function folderOf(files: readonly string[]): string {
    const folder = join(temporaryFolder(), 'clouds');
    mkdirSync(folder);
    for (const name of files) {
      writePcd(join(folder, name), [
        ['x', 'f4', [1, 2]],
        ['y', 'f4', [3, 4]],
        ['z', 'f4', [0, 0]],
      ]);
    }
    return folder;
  }

  it('are refused with both spans where poses do not cover them', async () => {
    const folder = folderOf(['1700000000.0.pcd', '1700000001.5.pcd', '1700000002.0.pcd']);
    const trajectory = join(folder, 'poses.tum');
    writeFileSync(
      trajectory,
      tumText([0, 1_000_000_000], () => identity, 1_700_000_000_000_000_000n),
    );
    const spans =
      '1700000000.000 to 1700000002.000 s, found poses from 1700000000.000 to 1700000001.000 s';
    expect(await refusal(folder, { trajectory })).toMatchObject(problem('trajectory', spans));
  });

  it('are at those times, also with as many poses as files', async () => {
    const folder = folderOf(['1700000000.25.pcd', '1700000000.75.pcd']);
    const trajectory = join(folder, 'poses.tum');
    writeFileSync(
      trajectory,
      tumText([0, 1_000_000_000], () => identity, 1_700_000_000_000_000_000n),
    );
    const { beams: logged } = await imported(folder, { trajectory });
    expect(logged.map(({ timeNs }) => timeNs % 1_000_000_000n)).toEqual([
      ...[250_000_000n, 250_000_000n],
      ...[750_000_000n, 750_000_000n],
    ]);
  });
});

describe('clouds in text', () => {
  const rows = ['1 2 3 9', '-4 0.5 1e1 8', '', '2 2 2 7'];
  const trajectoryOf = (folder: string): string => {
    const file = join(folder, 'poses.tum');
    writeFileSync(
      file,
      tumText([0], () => identity),
    );
    return file;
  };
  const pcd = ['VERSION .7', 'FIELDS x y z intensity', 'SIZE 4 4 4 4', 'TYPE F F F F'];
  const headOfPcd = [...pcd, 'COUNT 1 1 1 1', 'WIDTH 3', 'HEIGHT 1', 'POINTS 3', 'DATA ascii'];
  const headOfPly = [
    ...['ply', 'format ascii 1.0', 'element vertex 3'],
    ...['x', 'y', 'z', 'intensity'].map((name) => `property float ${name}`),
    'end_header',
  ];

  it.each([
    ['pcd', headOfPcd],
    ['ply', headOfPly],
  ])('are read from .%s', async (ending, head) => {
    const folder = temporaryFolder();
    const file = join(folder, `0.${ending}`);
    writeFileSync(file, [...head, ...rows, ''].join('\n'));
    const { beams: logged } = await imported(file, { trajectory: trajectoryOf(folder) });
    const ends = logged.map(({ direction, rangeM }) => direction.map((part) => part * rangeM));
    for (const [at, expected] of [
      [1, 2, 3],
      [-4, 0.5, 10],
      [2, 2, 2],
    ].entries()) {
      for (const axis of [0, 1, 2]) expect(ends[at]?.[axis]).toBeCloseTo(expected[axis] ?? 0, 5);
    }
    expect(logged.map(({ intensity }) => intensity)).toEqual([9, 8, 7]);
    for (const wrong of [rows.slice(0, 2), ['1 2 3', ...rows], ['1 2 x 3', ...rows]]) {
      writeFileSync(file, [...head, ...wrong, ''].join('\n'));
      const trajectory = trajectoryOf(folder);
      expect(await refusal(file, { trajectory })).toMatchObject({ code: 'corrupt' });
    }
  });
});
