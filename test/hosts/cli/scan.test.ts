// `understory scan` on the box scenario, against ranges worked out by hand (assets/scenarios/box).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRecording } from '#recordings/recordingReader.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { ran, runHere } from '#test/support/commandLine.ts';

type Row = Record<string, string>;

function readCsv(file: string): { names: string[]; rows: Row[] } {
  const [head = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const names = head.split(',');
  const rows = lines.map((line) => {
    const values = line.split(',');
    return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
  });
  return { names, rows };
}

const sensor = ['--sensor', 'vlp-16-goodin2018'];
const scanBox = ['scan', 'box', ...sensor, '--pose', '0,0,1,0', '--seconds', '0.1'];
const degree = Math.PI / 180;

describe('a scan of the box', () => {
  it('has the columns of the contract, and the ranges of geometry', async () => {
    const folder = temporaryFolder();
    await ran(folder, ...scanBox, '--misses', '--out', 'box.csv');
    const { names, rows } = readCsv(join(folder, 'box.csv'));
    expect(names.join(',')).toBe(
      'time_ns,pulse,ring,azimuth_rad,elevation_rad,return_no,n_returns,range_m,intensity,beam_share,' +
        'x_m,y_m,z_m,object_id,class,incidence_rad,range_clean_m,true_range_m',
    );
    // 0.1 s of 18,000 slots with 16 lasers, one row each, echo or not.
    expect(rows).toHaveLength(28_800);
    const at = (ring: number, azimuthDeg: number): Row => {
      const found = rows.find(
        (row) =>
          Number(row['ring']) === ring &&
          Math.abs(Number(row['azimuth_rad']) - azimuthDeg * degree) < 1e-4,
      );
      if (found === undefined) throw new Error(`no pulse of ring ${ring} at ${azimuthDeg}°`);
      return found;
    };
    // Ring 8 looks 1° up and meets the box's face at x = 5 squarely enough: a ray of the stencil is at
    // most 0.53 mrad off the axis vertically, which moves the range by 5 · tan 1° · 0.00053 = 0.05 mm.
    expect(Number(at(8, 0)['range_m'])).toBeCloseTo(5 / Math.cos(1 * degree), 3);
    expect(at(8, 0)).toMatchObject({ class: 'box', return_no: '1', n_returns: '1' });
    // Reflectance 0.5 and an angle of 1°, 0.53 mrad less for the ray that decides.
    expect(Number(at(8, 0)['intensity'])).toBeCloseTo(0.5 * Math.cos(1 * degree), 4);
    // The wall's face at y = 10.
    expect(Number(at(8, 90)['range_m'])).toBeCloseTo(10 / Math.cos(1 * degree), 3);
    expect(at(8, 90)['class']).toBe('wall');
    // The ground, by the strongest ray: the steepest of the nine, tan(0.75 mrad)/√2 below the axis.
    const steepestRad = 15 * degree + Math.tan(0.00075) / Math.SQRT2;
    expect(Number(at(0, 0)['range_m'])).toBeCloseTo(1 / Math.sin(steepestRad), 3);
    expect(at(0, 0)['class']).toBe('ground');
    // 15° up over the box: nothing there.
    expect(at(15, 0)).toMatchObject({ return_no: '0', n_returns: '0', range_m: '', class: '' });
  });

  it('gives the same bytes with one thread and two', async () => {
    const folder = temporaryFolder();
    for (const threads of ['1', '2']) {
      await runHere(folder, ...scanBox, '--threads', threads, '--out', `${threads}.csv`);
    }
    expect(readFileSync(join(folder, '1.csv'))).toEqual(readFileSync(join(folder, '2.csv')));
  });

  it('gives the columns that were asked for, by the names of the file', async () => {
    const folder = temporaryFolder();
    await runHere(folder, ...scanBox, '--columns', 'range_m,class', '--out', 'two.csv');
    const { names, rows } = readCsv(join(folder, 'two.csv'));
    expect(names).toEqual(['range_m', 'class']);
    expect(new Set(rows.map((row) => row['class']))).toEqual(
      new Set(['box', 'ground', 'sphere', 'wall']),
    );
  });

  it("gives BlenSor's twelve fields: clean and noisy points along the beam's axis", async () => {
    const folder = temporaryFolder();
    const args = [
      'scan',
      'box',
      '--sensor',
      'hdl-64e-s2',
      '--pose',
      '0,0,1,0',
      '--seconds',
      '0.02',
    ];
    await runHere(folder, ...args, '--columns', 'blensor', '--out', 'blensor.csv');
    const { names, rows } = readCsv(join(folder, 'blensor.csv'));
    expect(names).toEqual([
      'time_ns',
      'azimuth_rad',
      'elevation_rad',
      ...['range_clean_m', 'range_m'],
      ...['x_clean_m', 'y_clean_m', 'z_clean_m'],
      ...['x_m', 'y_m', 'z_m'],
      'object_id',
    ]);
    expect(rows.length).toBeGreaterThan(10_000);
    let noiseM2 = 0;
    for (const row of rows) {
      const value = (name: string): number => Number(row[name]);
      const [azimuth, elevation] = [value('azimuth_rad'), value('elevation_rad')];
      const axis = [
        Math.cos(elevation) * Math.cos(azimuth),
        Math.cos(elevation) * Math.sin(azimuth),
        Math.sin(elevation),
      ];
      for (const [range, suffix] of [
        ['range_clean_m', '_clean_m'],
        ['range_m', '_m'],
      ] as const) {
        for (const [index, name] of ['x', 'y', 'z'].entries()) {
          const expected = (index === 2 ? 1 : 0) + value(range) * (axis[index] ?? 0);
          // Angles and ranges are in single precision: 2^-24 of 2π on 60 m, and of the range.
          expect(Math.abs(value(`${name}${suffix}`) - expected)).toBeLessThan(6e-5);
        }
      }
      noiseM2 += (value('range_m') - value('range_clean_m')) ** 2;
    }
    // 25 mm of the lasers and 10 mm of each ray, in steps of 2 mm: 26.9 mm, of 64 draws of the lasers' errors within
    // four standard errors (1 / sqrt(128) each).
    const rmsM = Math.sqrt(noiseM2 / rows.length);
    expect(Math.abs(rmsM / 0.0269 - 1)).toBeLessThan(4 / Math.sqrt(128));
  });

  it('can be a recording, one cloud a tick', async () => {
    const folder = temporaryFolder();
    const { stdout } = await runHere(folder, ...scanBox, '--json', '--out', 'box.mcap');
    const reader = await openRecording(join(folder, 'box.mcap'));
    let rows = 0;
    for await (const scan of reader.scans()) rows += scan.rows;
    await reader.close();
    expect(reader.isComplete).toBe(true);
    expect(rows).toBe((JSON.parse(stdout) as { rows: number }).rows);
    expect(rows).toBeGreaterThan(10_000);
  });

  it.each([
    [['--max-gap', '3'], '--max-gap needs a --trajectory'],
    [['--frame', 'sensor', '--out', 'box.mcap'], 'frame: expected no frame with an .mcap file'],
    [['--format', 'semantickitti', '--columns', 'x_m'], 'format: expected no frame and no columns'],
  ])('refuses %j, which would have no effect', async (options, message) => {
    const folder = temporaryFolder();
    const { exitCode, stderr } = await runHere(folder, ...scanBox, '--out', 'box.csv', ...options);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });
});
