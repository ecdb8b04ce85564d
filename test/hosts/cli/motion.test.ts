// Scenes with motions by the command line: scans, poses, drives with their truth, and what is refused.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SceneInput } from '#contract/documents/scene.ts';
import { exitCodeOfCode, exitCodes } from '#hosts/cli/exitCodes.ts';
import { driveHere, ran, runHere } from '#test/support/commandLine.ts';
import { flatGround, placed, scenario, sensor } from '#test/support/documents.ts';
import { readNpy } from '#test/recordings/readNpy.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { csvRows, scanned } from '#test/support/scan.ts';

/** A wall whose face towards the origin is at x = 5 at first, and moves away at 2 m/s; and one that is stationary. */
const scene = {
  models: {
    wall: { kind: 'box', sizeM: [1, 2, 4], material: 'grey' },
    post: { kind: 'box', sizeM: [1, 1, 4], material: 'grey' },
  },
  motions: {
    away: {
      kind: 'path',
      pointsM: [
        [5.5, 0, 0],
        [45.5, 0, 0],
      ],
      speedMPerS: 2,
    },
  },
  instances: [placed('wall', [0, 0, 0], { motion: 'away' }), placed('post', [0, 9, 0])],
} satisfies Partial<SceneInput>;

it('a scan meets a moving wall where it is at the time of each pulse', async () => {
  const { rows } = await scanned({
    scene: scenario(scene),
    sensor: sensor(),
    seconds: 3,
    columns: 'time_ns,true_range_m,object_id,is_moving,velocity_x_m_per_s,radial_velocity_m_per_s',
  });
  expect(rows).toHaveLength(30);
  for (const row of rows) {
    expect(row['true_range_m']).toBeCloseTo(5 + 2 * ((row['time_ns'] ?? NaN) / 1e9), 5);
    expect(row).toMatchObject({
      object_id: 1,
      is_moving: 1,
      velocity_x_m_per_s: 2,
      radial_velocity_m_per_s: 2,
    });
  }
});

it('poses of moving objects change over time, those of others do not', async () => {
  const folder = temporaryFolder({ 'scene.yaml': scenario(scene) });
  const out = join(folder, 'poses.txt');
  await ran(folder, 'poses', join(folder, 'scene.yaml'), '--step=0.5', '--to=1', `--out=${out}`);
  const lines = readFileSync(out, 'utf8').split('\n');
  const placesOf = (name: string): number[][] => {
    const from = lines.findIndex((line) => line.startsWith('# object') && line.includes(name));
    return lines.slice(from + 1, from + 4).map((line) => line.split(' ').slice(0, 3).map(Number));
  };
  expect(placesOf('wall')).toEqual([
    [0, 5.5, 0],
    [0.5, 6.5, 0],
    [1, 7.5, 0],
  ]);
  expect(placesOf('post')).toEqual([
    [0, 0, 9],
    [0.5, 0, 9],
    [1, 0, 9],
  ]);
});

it('a vehicle that something runs into has a collision; its recording says what moved, and is found again', async () => {
  const text = scenario({
    ...scene,
    ground: flatGround(100),
    motions: {
      away: {
        kind: 'path',
        pointsM: [
          [8, 0, 0],
          [-20, 0, 0],
        ],
        speedMPerS: 8,
      },
    },
    sensors: [{ name: 'lidar', sensor: 'vlp-16', mount: { positionM: [0, 0, 2] } }],
    mission: { startM: [0, 0], startYawDeg: 90, goalM: [0, 8] },
  });
  const folder = temporaryFolder({ 'scene.yaml': text });
  const run = await driveHere(folder, join(folder, 'scene.yaml'), '--seconds=1.5');
  expect(await ran(folder, 'runs', 'show', run)).toMatch(/collisions\s+1\b/);
  const out = join(folder, 'run.csv');
  const columns = 'time_ns,object_id,is_moving,velocity_x_m_per_s';
  await ran(folder, 'runs', 'export', run, '--format=csv', `--columns=${columns}`, `--out=${out}`);
  const onWall = csvRows(out).filter((row) => row['is_moving'] === 1);
  expect(onWall.length).toBeGreaterThan(50);
  for (const row of onWall) expect(row['velocity_x_m_per_s']).toBeCloseTo(-8, 4);
  const sequence = join(folder, 'sequence');
  await ran(folder, 'runs', 'export', run, '--format=semantickitti', `--out=${sequence}`);
  const labels = readFileSync(join(sequence, 'tracking_labels.txt'), 'utf8').trim().split('\n');
  expect(labels).toHaveLength(15);
  // A wall of 1 × 2 × 4 m on the ground, 2 m below the sensor, which heads along y: at x = 8 m − 8 m/s · 0.1 s.
  expect(labels[0]).toMatch(/^0 0 wall -1 3 \S+ -1 -1 -1 -1 4 2 1 7\.2\d* \S+ /);
  const boxes = join(folder, 'boxes.csv');
  await ran(folder, 'runs', 'export', run, '--format=boxes', `--out=${boxes}`);
  const [head, first] = readFileSync(boxes, 'utf8').split('\n');
  expect(head).toBe(
    'time_s,id,name,class,x_m,y_m,z_m,qx,qy,qz,qw,length_m,width_m,height_m,velocity_x_m_per_s,velocity_y_m_per_s,velocity_z_m_per_s',
  );
  expect(first).toMatch(/^0\.1,1,away,wall,/);
  const rows = csvRows(boxes);
  expect(rows).toHaveLength(15);
  for (const [tick, row] of rows.entries()) {
    expect(row['time_s']).toBeCloseTo(0.1 * (tick + 1), 9);
    expect(row['x_m']).toBeCloseTo(8 - 0.8 * (tick + 1), 5);
    expect(row['velocity_x_m_per_s']).toBeCloseTo(-8, 6);
    expect(row).toMatchObject({ id: 1, length_m: 1, width_m: 2, height_m: 4 });
  }
  const part = join(folder, 'part.csv');
  const interval = ['--from=0.5', '--to=1'];
  await ran(folder, 'runs', 'export', run, '--format=boxes', ...interval, `--out=${part}`);
  expect(csvRows(part).map((row) => row['time_s'])).toEqual([0.6, 0.7, 0.8, 0.9, 1]);
  // Its exit code tells.
  await ran(folder, 'runs', 'verify', run);
});

it('a run in which only the vehicle moves has no boxes to export', async () => {
  const text = scenario({
    ...scene,
    instances: [placed('wall', [0, -9, 0]), placed('post', [0, 9, 0])],
    ground: flatGround(100),
    vehicle: {
      body: [
        { kind: 'box', name: 'hull', positionM: [0, 0, 1], sizeM: [1, 1, 1], material: 'grey' },
      ],
    },
    sensors: [{ name: 'lidar', sensor: 'vlp-16', mount: { positionM: [0, 0, 2] } }],
    mission: { startM: [0, 0], startYawDeg: 90, goalM: [0, 8] },
  });
  const folder = temporaryFolder({ 'scene.yaml': text });
  const run = await driveHere(folder, join(folder, 'scene.yaml'), '--seconds=0.2');
  const out = join(folder, 'boxes.csv');
  const command = ['runs', 'export', run, '--format=boxes', `--out=${out}`];
  const { exitCode, stderr } = await runHere(folder, ...command);
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain('nothing but the vehicle moves in the run');
  expect(existsSync(out)).toBe(false);
});

it('images and depth maps show the scene at one time, objects on the ground at the height of time 0', async () => {
  const grounded = (instance: ReturnType<typeof placed>, motions = {}): string =>
    scenario({
      ...scene,
      motions: { ...scene.motions, ...motions },
      ground: { ...flatGround(100), zM: 3 },
      instances: [{ ...instance, onGround: true }],
    });
  const folder = temporaryFolder({
    'moving.yaml': grounded(placed('wall', [0, 0, 2], { motion: 'away' })),
    'still.yaml': grounded(placed('wall', [7.5, 0, 2])),
  });
  const imageOf = async (name: string, ...more: string[]): Promise<Buffer> => {
    const out = join(folder, `${name}-${more.length}.png`);
    const view = ['--camera=-5,-4,8,30,15', '--size=96x64', `--out=${out}`];
    await ran(folder, 'render', join(folder, `${name}.yaml`), ...view, ...more);
    return readFileSync(out);
  };
  const still = await imageOf('still');
  expect((await imageOf('moving', '--at-time=1')).equals(still)).toBe(true);
  expect((await imageOf('moving')).equals(still)).toBe(false);

  for (const [timeS, depthM] of [
    [0, 5],
    [1, 7],
    [4.5, 14],
  ] as const) {
    const out = join(folder, `depth-${timeS}.npy`);
    const view = ['--pose=0,0,5,0,0', '--size=5x5', '--fov-deg=2', `--at-time=${timeS}`];
    await ran(folder, 'depth', join(folder, 'moving.yaml'), ...view, `--out=${out}`);
    // Every column is of the same time.
    for (const depth of readNpy(readFileSync(out)).values) expect(depth).toBeCloseTo(depthM, 4);
  }
});

it('a scan whose steps would take too much memory is refused before it begins', async () => {
  const folder = temporaryFolder({ 'scene.yaml': scenario(scene), 'sensor.yaml': sensor() });
  const { exitCode, stderr } = await runHere(
    folder,
    'scan',
    join(folder, 'scene.yaml'),
    `--sensor=${join(folder, 'sensor.yaml')}`,
    '--pose=0,0,0,0',
    '--seconds=30000',
    `--out=${join(folder, 'out.csv')}`,
  );
  expect(exitCode).not.toBe(exitCodes.ok);
  expect(stderr).toContain('expected a scan of at most 20000 s at a time, found 30000 s');
});

describe('a motion that starts inside an obstacle', () => {
  const hall: NonNullable<SceneInput['walls']>[number] = {
    name: 'hall',
    fromM: [10, 1],
    toM: [30, 1],
    heightM: 3,
    thicknessM: 1,
    material: 'grey',
  };
  const walker = {
    kind: 'box',
    sizeM: [0.5, 0.6, 1.8],
    material: 'grey',
  } satisfies NonNullable<SceneInput['models']>[string];
  /** A person, 0.25 m ahead of its middle, whose way along y begins here; the wall begins at y = 0.5. */
  const walking = (atY: number, more: Partial<SceneInput> = {}): string =>
    scenario({
      ground: flatGround(100),
      models: { walker },
      walls: [hall],
      motions: {
        walk: {
          kind: 'path',
          speedMPerS: 1,
          pointsM: [
            [20, atY, 0],
            [20, 9, 0],
          ],
        },
      },
      instances: [
        placed('walker', [0, 0, 0.9], { name: 'first', motion: 'walk' }),
        placed('walker', [0, -5, 0.9], { name: 'second' }),
      ],
      sensors: [{ name: 'lidar', sensor: 'vlp-16' }],
      mission: { startM: [0, 0], goalM: [0, 8] },
      ...more,
    });
  const scan = (folder: string): ReturnType<typeof runHere> =>
    runHere(
      folder,
      'scan',
      join(folder, 'scene.yaml'),
      `--sensor=${join(folder, 'sensor.yaml')}`,
      '--pose=0,0,1,0',
      '--seconds=0.1',
      `--out=${join(folder, 'out.csv')}`,
    );
  const folderOf = (scene: string): string =>
    temporaryFolder({ 'scene.yaml': scene, 'sensor.yaml': sensor() });

  it('is a problem of scans and drives, with its path and depth', async () => {
    const folder = folderOf(walking(0.35));
    const problem =
      "scene.instances[0].motion: expected a start outside of obstacles, found 'first' at time 0 0.10 m inside 'hall'";
    const scanned = await scan(folder);
    expect(scanned.exitCode).toBe(exitCodeOfCode('bad-input'));
    expect(scanned.stderr).toContain(problem);
    const driven = await runHere(folder, 'drive', join(folder, 'scene.yaml'), '--seconds=0.2');
    expect(driven.exitCode).toBe(exitCodeOfCode('bad-input'));
    expect(driven.stderr).toContain(problem);
  });

  it('is none by a touch, above an obstacle, or in a model that stops nothing', async () => {
    const scenes = [
      walking(0.26),
      walking(0.35, { walls: [{ ...hall, heightM: 0.5 }], instances: [over(1.5)] }),
      walking(1, { models: { walker: { ...walker, solid: false } } }),
    ];
    for (const scene of scenes)
      expect((await scan(folderOf(scene))).stderr).not.toContain('inside');
    const low = walking(0.35, { walls: [{ ...hall, heightM: 0.5 }], instances: [over(1.3)] });
    // From 0.4 m on, over a wall of 0.5 m.
    expect((await scan(folderOf(low))).stderr).toContain("0.10 m inside 'hall'");
  });

  it('is none to what holds the pivot of a turn', async () => {
    const turning = (pivotX: number): string =>
      walking(0, {
        motions: { walk: { kind: 'rotating', pivotM: [pivotX, 1, 0], rateDegPerS: 90 } },
        instances: [placed('walker', [20, 1.4, 0.9], { motion: 'walk' })],
      });
    expect((await scan(folderOf(turning(20)))).exitCode).toBe(exitCodes.ok);
    expect((await scan(folderOf(turning(35)))).stderr).toContain("0.40 m inside 'hall'");
  });

  /** The first person, its middle at a height. */
  function over(zM: number): NonNullable<SceneInput['instances']>[number] {
    return placed('walker', [0, 0, zM], { name: 'first', motion: 'walk' });
  }
});
