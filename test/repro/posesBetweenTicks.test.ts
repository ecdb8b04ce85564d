// Poses of a run were interpolated between the ends of ticks of 100 ms, while its vehicle moves in steps of 10 ms:
// points computed again from pose, range and angles missed by up to 0.12 m, beam origins in exports by 4.9 mm, the
// lever arm of the sensor shrank by 0.9 mm, and there was no pose before 0.1 s (F-3 of the physics review).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { RunListItem } from '#contract/host/runQueries.ts';
import { rotate } from '#domain/shared/pose.ts';
import { trajectoryPoseAt, type Trajectory } from '#domain/trajectory/trajectory.ts';
import { trajectoryReader } from '#domain/trajectory/trajectoryText.ts';
import { ran, runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const wall = (name: string, from: string, to: string): string =>
  `    - { name: ${name}, fromM: ${from}, toM: ${to}, heightM: 30, thicknessM: 0.2, material: grey }\n`;

const scenario = `
understory: 2
name: turning
scene:
  materials: { grey: { reflectance: 0.5 } }
  models: {}
  ground: { kind: plane, sizeM: [80, 80], material: grey }
  walls:
${wall('south', '[-30, -30]', '[40, -30]')}${wall('east', '[40, -30]', '[40, 30]')}${wall('north', '[40, 30]', '[-30, 30]')}${wall('west', '[-30, 30]', '[-30, -30]')}
sensors:
  - { name: rig, sensor: rig.yaml, mount: { positionM: [0.7, -0.4, 1.9], yawDeg: 35, pitchDeg: 12, rollDeg: -8 } }
mission: { startM: [-10, -5], startYawDeg: 100, goalM: [12, 6] }
`;
const sensor = `
understorySensor: 3
id: rig
name: Four beams
source: none
scan: { kind: spinning, rateHz: 5, slotsPerRevolution: 720 }
banks: [{ name: beams, elevationsDeg: [-30, -10, 0, 8], firingOffsetsUs: [0, 20, 40, 60] }]
range: { minM: 2, maxM: 200 }
beam: { shape: circular, divergenceHorizontalMrad: 0, divergenceVerticalMrad: 0, stencil: rays, rays: { count: 1 } }
returns: { mode: strongest, signalCutoffM: 0 }
`;
const mountM = [0.7, -0.4, 1.9] as const;

const folder = temporaryFolder();
let run = '';

beforeAll(async () => {
  const turning = join(folder, 'turning.yaml');
  writeFileSync(turning, scenario);
  writeFileSync(join(folder, 'rig.yaml'), sensor);
  const driven = await runHere(folder, 'drive', turning, '--seconds', '3', '--quiet');
  expect(driven.exitCode, driven.stderr).toBe(0);
  const { stdout } = await runHere(folder, 'runs', 'list', '--json', '--quiet');
  run = (JSON.parse(stdout) as RunListItem[])[0]?.id ?? '';
});

async function posesOf(name: string): Promise<Trajectory> {
  const steps = ['--from', '0', '--to', '3', '--step', '0.0005'];
  const args = ['poses', run, '--objects', name, ...steps, '--out', `${name}.tum`, '--force'];
  await ran(folder, ...args);
  const reader = trajectoryReader({ format: 'tum' });
  reader.take(readFileSync(join(folder, `${name}.tum`), 'utf8'));
  const { value, problems } = reader.finish();
  expect(problems).toEqual([]);
  if (value === null) throw new Error('unreachable');
  return value.trajectory;
}

it('have the poses of the pulses, from the start of the run', async () => {
  const columns =
    'time_ns,range_m,azimuth_rad,elevation_rad,x_m,y_m,z_m,beam_origin_x_m,beam_origin_y_m,beam_origin_z_m';
  const args = ['--format', 'csv', '--columns', columns, '--out', 'run.csv'];
  await ran(folder, 'runs', 'export', run, ...args);
  const path = await posesOf('rig');
  expect(Number(path.time_ns[0])).toBe(0);
  expect(path.time_ns).toHaveLength(6001);
  const [, ...lines] = readFileSync(join(folder, 'run.csv'), 'utf8').trimEnd().split('\n');
  let farthestM = 0;
  let fromOriginM = 0;
  for (const line of lines) {
    const [timeNs = NaN, rangeM = NaN, azimuth = NaN, elevation = NaN, ...places] = line
      .split(',')
      .map(Number);
    const { positionM, rotation } = trajectoryPoseAt(path, timeNs);
    const level = rangeM * Math.cos(elevation);
    const beam = rotate(rotation, [
      level * Math.cos(azimuth),
      level * Math.sin(azimuth),
      rangeM * Math.sin(elevation),
    ]);
    const missM = [0, 1, 2].map((axis) => {
      return (positionM[axis] ?? NaN) + (beam[axis] ?? NaN) - (places[axis] ?? NaN);
    });
    farthestM = Math.max(farthestM, Math.hypot(...missM));
    const originM = [0, 1, 2].map((axis) => (positionM[axis] ?? NaN) - (places[axis + 3] ?? NaN));
    fromOriginM = Math.max(fromOriginM, Math.hypot(...originM));
  }
  expect(lines.length).toBeGreaterThan(30_000);
  // Single precision: azimuths to 2.4e-7 rad, which is 1.7e-5 m at 70 m, and points to 2e-6 m on each axis.
  // Origins are points less range and direction: as exact.
  expect(farthestM).toBeLessThan(5e-5);
  expect(fromOriginM).toBeLessThan(5e-5);
});

it('keep the lever arm of the sensor', async () => {
  const [vehicle, rig] = [await posesOf('vehicle'), await posesOf('rig')];
  const armM = Math.hypot(...mountM);
  let turnedRad = 0;
  for (let row = 0; row < vehicle.time_ns.length; row += 1) {
    const apartM = (['x_m', 'y_m', 'z_m'] as const).map(
      (axis) => (rig[axis][row] ?? NaN) - (vehicle[axis][row] ?? NaN),
    );
    // r (ω Δt)² / 8 of 2.1 m at 75°/s and steps of 10 ms.
    expect(Math.abs(Math.hypot(...apartM) - armM)).toBeLessThan(4.5e-5);
    turnedRad = Math.max(
      turnedRad,
      Math.abs(2 * Math.asin(vehicle.qz[row] ?? 0) - 2 * Math.asin(vehicle.qz[0] ?? 0)),
    );
  }
  // It turned: a vehicle that goes straight shows nothing.
  expect(turnedRad).toBeGreaterThan(0.5);
});
