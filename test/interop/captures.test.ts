// Captures of Velodyne packets read by the Point Cloud Library: every echo of the CSV file of the same scan, in its order, at
// its range, with its intensity, in the direction of its laser.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { ran } from '#test/support/commandLine.ts';
import { tableOf } from './tables.ts';

const folder = temporaryFolder();
const program = join(folder, 'readCapture');

beforeAll(() => {
  const source = join(import.meta.dirname, 'pcl/readCapture.cpp');
  const flags = execFileSync('pkg-config', ['--cflags', '--libs', 'pcl_io', 'eigen3'], {
    encoding: 'utf8',
  });
  execFileSync('c++', ['-std=c++17', source, '-o', program, ...flags.trim().split(/\s+/)]);
});

/** The library turns all lasers of a firing to the azimuth at its begin, and two firings of a VLP-16 to one of a block. */
const blockRad = 0.004;

it.each(['vlp-16', 'hdl-32e'])('reads the packets of a %s', async (sensor) => {
  const scan = ['scan', 'box', '--sensor', sensor, '--pose', '0,0,1,20', '--seconds', '0.3'];
  for (const format of ['csv', 'pcap']) {
    await ran(folder, ...scan, '--out', `${sensor}.${format}`);
  }
  const echoes = tableOf(readFileSync(join(folder, `${sensor}.csv`), 'utf8'), ',');
  const capture = join(folder, `${sensor}.pcap`);
  const read = execFileSync(program, [sensor, capture], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  const points = read
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
  // The library keeps back the turn under way at the end.
  expect(points.length).toBeGreaterThan(0.66 * echoes.length);
  expect(points.length).toBeLessThanOrEqual(echoes.length);
  const largest = { rangeM: 0, intensity: 0, elevationRad: 0, azimuthRad: 0 };
  for (const [row, [right = NaN, ahead = NaN, up = NaN, intensity = NaN]] of points.entries()) {
    const of = (name: string): number => Number(echoes[row]?.[name]);
    const rangeM = Math.hypot(right, ahead, up);
    const differences = {
      rangeM: rangeM - of('range_m'),
      intensity: intensity - of('intensity'),
      elevationRad: Math.asin(up / rangeM) - of('elevation_rad'),
      azimuthRad: turned(Math.atan2(-right, ahead) - of('azimuth_rad')),
    };
    for (const name of ['rangeM', 'intensity', 'elevationRad', 'azimuthRad'] as const) {
      largest[name] = Math.max(largest[name], Math.abs(differences[name]));
    }
  }
  expect(largest.rangeM).toBeLessThan(1e-5);
  expect(largest.intensity).toBe(0);
  // The library has the elevations of a HDL-32E in hundredths of a degree.
  expect(largest.elevationRad).toBeLessThan(1e-4);
  expect(largest.azimuthRad).toBeLessThan(blockRad);
});

/** From −π to π. */
function turned(angleRad: number): number {
  return angleRad - 2 * Math.PI * Math.round(angleRad / (2 * Math.PI));
}
