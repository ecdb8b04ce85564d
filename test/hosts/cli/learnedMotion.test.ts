// A learned model that moves, by the command line: what a scan meets, its truth, and what runs into a vehicle.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SceneInput } from '#contract/documents/scene.ts';
import { learnedPly } from '#test/physics/learnedPly.ts';
import { driveHere, ran } from '#test/support/commandLine.ts';
import { flatGround, placed, scenario, sensor } from '#test/support/documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { csvRows, scanned } from '#test/support/scan.ts';

/** An opaque element ahead of the sensor, of a standard deviation of 1 mm. */
const element = { meanM: [5, 0, 0], sigmaM: 0.001, permeability: 0, support: 20 } as const;
/** A board of 2 x 2 m across the x axis. */
const board = {
  verticesM: [
    [0, -1, 0],
    [0, 1, 0],
    [0, 1, 2],
    [0, -1, 2],
  ],
  triangles: [
    [0, 1, 2],
    [0, 2, 3],
  ],
} as const;

const path = (fromX: number, toX: number, speedMPerS: number): object => ({
  kind: 'path',
  pointsM: [
    [fromX, 0, 0],
    [toX, 0, 0],
  ],
  speedMPerS,
});

function moving(motion: object): Partial<SceneInput> {
  return {
    models: { site: { kind: 'learned', file: 'site.ply', material: 'grey' } },
    motions: { along: motion as NonNullable<SceneInput['motions']>[string] },
    instances: [placed('site', [0, 0, 0], { motion: 'along' })],
  };
}

it('an element is met where it is at the time of each pulse, with its velocity', async () => {
  const { rows } = await scanned({
    scene: scenario(moving(path(0, 40, 2))),
    files: { 'site.ply': learnedPly([element]) },
    sensor: sensor(),
    seconds: 3,
    columns: 'time_ns,range_m,learned_part,is_moving,velocity_x_m_per_s,support',
  });
  expect(rows).toHaveLength(30);
  for (const row of rows) {
    const expectedM = 5 + 2 * ((row['time_ns'] ?? NaN) / 1e9);
    expect(Math.abs((row['range_m'] ?? NaN) - expectedM)).toBeLessThan(0.006);
    expect(row).toMatchObject({
      learned_part: 2,
      is_moving: 1,
      velocity_x_m_per_s: 2,
      support: 20,
    });
  }
});

it('a surface that runs into the vehicle is a collision, and its box is recorded', async () => {
  const text = scenario({
    ...moving(path(8, -20, 8)),
    ground: flatGround(100),
    sensors: [{ name: 'lidar', sensor: 'vlp-16', mount: { positionM: [0, 0, 2] } }],
    mission: { startM: [0, 0], startYawDeg: 90, goalM: [0, 8] },
  });
  const folder = temporaryFolder({ 'scene.yaml': text, 'site.ply': learnedPly([], board) });
  const run = await driveHere(folder, join(folder, 'scene.yaml'), '--seconds=1.5');
  expect(await ran(folder, 'runs', 'show', run)).toMatch(/collisions\s+1\b/);
  const boxes = join(folder, 'boxes.csv');
  await ran(folder, 'runs', 'export', run, '--format=boxes', `--out=${boxes}`);
  for (const [tick, row] of csvRows(boxes).entries()) {
    expect(row['x_m']).toBeCloseTo(8 - 0.8 * (tick + 1), 5);
    expect(row).toMatchObject({ id: 1, length_m: 0, width_m: 2, height_m: 2 });
  }
});
