// Numbers that a log cannot hold were stored as others: a time of 1e15 s wrapped, one of 1e300 s ended an import with "The
// number Infinity cannot be converted to a BigInt", an intensity of 1e39 became infinite. A column, field or array that a
// file has twice was ignored.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { odometry, plainCloud, writeMcap } from '#test/services/logs/foreignFiles.ts';
import { imported, refusal } from '#test/services/logs/imported.ts';
import { identity } from '#test/services/logs/importTo.ts';
import { writeLas } from '#test/services/logs/lasFiles.ts';
import { type PointColumn, writePcd } from '#test/services/logs/pointFiles.ts';

const folder = temporaryFolder();
let files = 0;
function fileOf(ending: string, content: string | Uint8Array = ''): string {
  const file = join(folder, `${(files += 1)}.${ending}`);
  writeFileSync(file, content);
  return file;
}
const problem = (...parts: string[]): object => ({
  code: 'bad-input',
  problems: [{ message: expect.stringMatching(parts.join('.*')) as string }],
});
const atRest = { pose: [0, 0, 0] };

describe('CSV', () => {
  const names =
    'time_s,origin_x_m,origin_y_m,origin_z_m,direction_x,direction_y,direction_z,range_m,state';
  const first = '0,0,0,0,1,0,0,5,1';

  it.each([
    ['1e300,0,0,0,1,0,0,5,1', 'a time from -9223372036.854775808 to', 'as time_s, found 1e300'],
    ['1e15,0,0,0,1,0,0,5,1', 'to 9223372036.854775807 s', 'as time_s, found 1e15'],
    ['9223372036.854775808,0,0,0,1,0,0,5,1', 'as time_s, found 9223372036.854775808'],
    [',0,0,0,1,0,0,5,1', 'as time_s, found none'],
    ['1,inf,0,0,1,0,0,5,1', 'a number as origin_x_m, found inf'],
    ['1,0,0,0,1,0,0,inf,1', 'a range above 0 and below 1,000,000 m', 'as range_m, found inf'],
    ['1,0,0,0,1,0,0,2e6,1', 'a range above 0 and below 1,000,000 m', 'as range_m, found 2e6'],
    ['1,0,0,0,1,0,0,-5,1', 'as range_m, found -5'],
    ['1,0,0,0,1,0,0,,1', 'as range_m, found none'],
    ['1,0,0,0,1,0,0,5,1.5', 'a whole number from 0 to 3 as state, found 1.5'],
  ])('refuses the line %s', async (line, ...parts) => {
    const file = fileOf('csv', [names, first, line, ''].join('\n'));
    expect(await refusal(file)).toMatchObject(problem(`${file}: line 3: expected`, ...parts));
  });

  it.each(['intensity', 'azimuth_rad', 'true_range_m'])('refuses 1e39 as %s', async (name) => {
    const linesOf = (cell: string): string =>
      [`${names},${name}`, `${first},3e38`, `${first},${cell}`, ''].join('\n');
    const single = problem('line 3: expected a number of single precision', `as ${name}, found`);
    expect(await refusal(fileOf('csv', linesOf('1e39')))).toMatchObject(single);
    expect(await refusal(fileOf('csv', linesOf('-inf')))).toMatchObject(single);
    expect((await imported(fileOf('csv', linesOf('nan')))).beams).toHaveLength(2);
  });

  it('takes the first and the last time that there are', async () => {
    const timesNs = ['-9223372036854775808', '9223372036854775807'];
    const lines = timesNs.map((timeNs) => first.replace('0', timeNs));
    const head = names.replace('time_s', 'time_ns');
    const { beams } = await imported(fileOf('csv', [head, ...lines, ''].join('\n')));
    expect(beams.map(({ timeNs }) => String(timeNs))).toEqual(timesNs);
    const beyond = first.replace('0', '9223372036854775808');
    expect(await refusal(fileOf('csv', `${head}\n${beyond}\n`))).toMatchObject(
      problem('line 2: expected a time from -9223372036854775808 to 9223372036854775807 ns'),
    );
  });

  it('refuses two columns of one name, and takes those that it does not read', async () => {
    const twice = (name: string): string => `${names},${name}\n${first},7\n`;
    expect(await refusal(fileOf('csv', twice('Origin_X_m')))).toMatchObject(
      problem('line 1: expected one column named Origin_X_m, found several'),
    );
    const other = `${names},note,note\n${first},1,2\n`;
    expect((await imported(fileOf('csv', other))).beams).toHaveLength(1);
  });

  it('refuses two columns of one name in a trajectory', async () => {
    const trajectory = fileOf('csv', 'time_s,x_m,y_m,z_m,z_m,yaw_deg\n0,0,0,0,1,0\n1,0,0,0,1,0\n');
    const cloud = join(folder, 'cloud.pcd');
    writePcd(cloud, places([1]));
    expect(await refusal(cloud, { trajectory })).toMatchObject(
      problem('expected one column named z_m, found several'),
    );
  });
});

/** Points beside each other. */
function places(xM: number[]): PointColumn[] {
  return [
    ['x', 'f4', xM],
    ['y', 'f4', xM.map(() => 1)],
    ['z', 'f4', xM.map(() => 1)],
  ];
}

/** Beams along x as columns of a file, with others in their place. */
function beamColumns(others: PointColumn[]): PointColumn[] {
  const zero = [0, 0];
  const own: PointColumn[] = [
    ['time_ns', 'f8', [0, 1000]],
    ...['x', 'y', 'z'].map((axis): PointColumn => [`beam_origin_${axis}_m`, 'f8', zero]),
    ['beam_direction_x', 'f4', [1, 1]],
    ['beam_direction_y', 'f4', zero],
    ['beam_direction_z', 'f4', zero],
    ...places([5, 5]),
  ];
  const isOther = (name: string): boolean => others.some(([other]) => other === name);
  return [...own.filter(([name]) => !isOther(name)), ...others];
}

describe('files that say where pulses began', () => {
  it.each<[string, number, ...string[]]>([
    [
      'time_ns',
      1e19,
      'a time from -9223372036854775808 to',
      'as time_ns, found 10000000000000000000',
    ],
    ['time_ns', Infinity, 'a number as time_ns, found Infinity'],
    ['intensity', 1e39, 'a number of single precision', 'as intensity, found 1e'],
    ['azimuth_rad', -1e39, 'a number of single precision', 'as azimuth_rad, found -1e'],
    ['ring', 70_000, 'a whole number from 0 to 65535 as ring, found 70000'],
    ['ring', 1.5, 'a whole number from 0 to 65535 as ring, found 1.5'],
    ['object_id', 2 ** 32, 'a whole number from 0 to 4294967295 as object_id, found 4294967296'],
    ['label', 7, 'a whole number from 0 to 2 as label, found 7'],
    ['beam_origin_y_m', 1e30, 'an origin within 5,000 km of the first'],
    ['range_m', -3.5, 'a range above 0 and below', 'of a return, found -3.5'],
  ])('refuse %s of %d', async (name, value, ...parts) => {
    const file = fileOf('pcd');
    writePcd(file, beamColumns([[name, 'f8', [0, value]]]));
    expect(await refusal(file)).toMatchObject(problem(`${file}: row 2: expected`, ...parts));
    writePcd(file, beamColumns([[name, 'f8', [0, 1]]]));
    expect((await imported(file)).beams).toHaveLength(2);
  });

  it('refuse times of unsigned whole numbers that are above those of a log', async () => {
    const timesNs = BigUint64Array.of(2n ** 63n - 1n, 2n ** 63n);
    expect(
      await refusal(fileOf('npz', npzOf({ 'time_ns.npy': npy('<u8', timesNs) }))),
    ).toMatchObject(
      problem('row 2: expected a time from', 'as time_ns, found 9223372036854775808'),
    );
  });

  it('refuse arrays and fields of one name', async () => {
    const timesNs = Float64Array.of(0, 1);
    const arrays = { 'time_ns.npy': npy('<f8', timesNs), time_ns: npy('<f8', timesNs) };
    expect(await refusal(fileOf('npz', npzOf(arrays)))).toMatchObject({
      code: 'corrupt',
      title: expect.stringContaining("it has several arrays 'time_ns'") as string,
    });
    const file = fileOf('pcd');
    const columns = beamColumns([]);
    writePcd(file, [...columns, ['time_ns', 'f8', [5, 6]]]);
    expect(await refusal(file)).toMatchObject({
      code: 'corrupt',
      title: expect.stringContaining("it has several fields 'time_ns'") as string,
    });
    // As PCL pads rows.
    writePcd(file, [...columns, ['_', 'f4', [0, 0]], ['_', 'f4', [0, 0]]]);
    expect((await imported(file)).beams).toHaveLength(2);
  });
});

describe('clouds', () => {
  it('refuse intensities and times that a log does not hold', async () => {
    const file = fileOf('pcd');
    for (const [name, value, expected] of [
      ['intensity', 1e39, 'a number of single precision'],
      ['timestamp', 1e15, 'a time from'],
      ['timestamp', 1e300, 'a time from'],
    ] as const) {
      writePcd(file, [...places([5, 6]), [name, 'f8', [0, value]]]);
      expect(await refusal(file, atRest)).toMatchObject(
        problem(`${file}: cloud 1, point 2: expected ${expected}`),
      );
    }
    const las = fileOf('las');
    const point = { positionM: [5, 1, 1], intensity: 3, classification: 2 } as const;
    writeLas(
      las,
      [0, 1e15].map((timeS) => ({ ...point, timeS })),
      [0, 0, 0],
    );
    expect(await refusal(las, atRest)).toMatchObject(problem('point 2: expected a time from'));
  });

  it('refuse classes that a log does not hold, and keep lasers apart whatever their numbers', async () => {
    const file = fileOf('pcd');
    writePcd(file, [...places([5, 6]), ['label', 'f8', [1, 70_000]]]);
    expect(await refusal(file, atRest)).toMatchObject(
      problem(`${file}: cloud 1, point 2: expected a whole number from 0 to 65535 as its class_id`),
    );
    writePcd(file, [...places([5, 6]), ['ring', 'f8', [1, 65_537]]]);
    const { beams } = await imported(file, atRest);
    expect(new Set(beams.map(({ laser }) => laser)).size).toBe(2);
  });

  it('refuse classes and fields of messages that a log does not hold', async () => {
    const file = fileOf('mcap');
    const write = (others: string[], ...values: number[]): Promise<void> =>
      writeMcap(file, [
        ...[0, 1e9].map((timeNs) => odometry(timeNs, identity)),
        ...[0, 1e9].map((timeNs) => plainCloud([[5, 1, 1, ...values]], timeNs, others)),
      ]);
    await write(['label'], 70_000);
    expect(await refusal(file)).toMatchObject(
      problem('cloud 1, point 1: expected a whole number from 0 to 65535 as its class_id'),
    );
    await write(['label', 'label'], 1, 2);
    expect(await refusal(file)).toMatchObject({
      code: 'bad-input',
      title: expect.stringContaining("a cloud has several fields 'label'") as string,
    });
  });

  it('refuse Extra Bytes of one name, and take one beside a field of the format', async () => {
    const las = fileOf('las');
    const point = { positionM: [5, 1, 1], timeS: 1, intensity: 3, classification: 2 } as const;
    const write = (...names: string[]): void => {
      const extras = names.map((name) => ({ name, type: 'f8' }) as const);
      const extra = Object.fromEntries(names.map((name) => [name, 7]));
      writeLas(las, [{ ...point, extra }], [0, 0, 0], { extras });
    };
    write('ring', 'ring');
    expect(await refusal(las, atRest)).toMatchObject({
      code: 'corrupt',
      title: expect.stringContaining("it has several fields 'ring'") as string,
    });
    write('ring', 'classification');
    expect((await imported(las, atRest)).beams).toHaveLength(1);
  });

  it('refuse positions of the sensor that are too far from each other', async () => {
    const file = fileOf('mcap');
    await writeMcap(file, [
      ...[0, 1e9].map((timeNs) =>
        odometry(timeNs, { ...identity, positionM: [timeNs / 100, 0, 0] }),
      ),
      ...[0, 1e9].map((timeNs) => plainCloud([[5, 1, 1]], timeNs)),
    ]);
    expect(await refusal(file)).toMatchObject(
      problem('cloud 2, point 1: expected an origin within'),
    );
  });

  it('refuse fields of one name', async () => {
    const file = fileOf('pcd');
    writePcd(file, [...places([5, 6]), ['x', 'f4', [7, 8]]]);
    expect(await refusal(file, atRest)).toMatchObject({ code: 'corrupt' });
  });
});

/** An archive of beams with others of these arrays. */
function npzOf(arrays: Record<string, Uint8Array>): Uint8Array {
  const own = beamColumns([]).map(
    ([name, , values]) => [`${name}.npy`, npy('<f8', Float64Array.from(values))] as const,
  );
  return zipSync({ ...Object.fromEntries(own), ...arrays });
}

function npy(type: string, values: Float64Array | BigUint64Array): Uint8Array {
  const head = `{'descr': '${type}', 'fortran_order': False, 'shape': (${values.length},), }`;
  const text = `${head.padEnd(117)}\n`;
  const preamble = Uint8Array.of(0x93, ...Buffer.from('NUMPY'), 1, 0, text.length, 0);
  return Buffer.concat([preamble, Buffer.from(text), new Uint8Array(values.buffer)]);
}
