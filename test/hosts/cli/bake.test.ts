// Baked physics by the command line: against closed forms, the same bytes every time, scans of it, and what is refused.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SceneInput } from '#contract/documents/scene.ts';
import { runCommandLine } from '#hosts/cli/commandLine.ts';
import { projectRoot } from '#test/stages.ts';
import { driveHere, printedJson, ran, runHere } from '#test/support/commandLine.ts';
import { placed, scenario, sensor } from '#test/support/documents.ts';
import { falling, physics, scatteredPosts, withDrive } from '#test/support/fallingBodies.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { csvRows } from '#test/support/scan.ts';

const gravityMPerS2 = 9.81;
/** Rows of a bake by body and time. */
const bakedIn = (file: string): { body: string; timeS: number; zM: number; xM: number }[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(3)
    .map((line) => line.split(','))
    .map(([body = '', timeS, x, , z]) => {
      return { body, timeS: Number(timeS), xM: Number(x), zM: Number(z) };
    });

const scattered = falling(1, { scatters: scatteredPosts });

const bakedScene = async (scene: Parameters<typeof scenario>[0]): Promise<string> => {
  const folder = temporaryFolder({ 'scene.yaml': scenario(scene) });
  await ran(folder, 'scenario', 'bake', join(folder, 'scene.yaml'));
  return folder;
};

const problemsOf = async (folder: string, ...command: string[]): Promise<string> => {
  const [noun = '', verb = '', ...rest] = command;
  const { exitCode, stderr } = await runHere(
    folder,
    noun,
    verb,
    join(folder, 'scene.yaml'),
    ...rest,
  );
  expect(exitCode).not.toBe(0);
  return stderr;
};

it('a body falls by the law of free fall, and rests on the ground', async () => {
  const dropM = 4;
  const rows = bakedIn(join(await bakedScene(falling(dropM)), 'scene.bake.csv'));
  const landS = Math.sqrt((2 * dropM) / gravityMPerS2);
  expect(rows[0]).toEqual({ body: 'cube', timeS: 0, xM: 8, zM: 4.5 });
  const inFlight = rows.filter(({ timeS }) => timeS < landS - 0.02);
  expect(inFlight.length).toBeGreaterThan(80);
  for (const { timeS, zM } of inFlight) {
    // Steps of 5 ms: velocities, and so places, are off by half a step at most.
    const allowedM = gravityMPerS2 * timeS * 0.0025 + 1e-4;
    expect(Math.abs(zM - (4.5 - (gravityMPerS2 * timeS ** 2) / 2))).toBeLessThan(allowedM);
  }
  const last = rows.at(-1);
  expect(last?.zM).toBeGreaterThan(0.49);
  expect(last?.zM).toBeLessThan(0.505);
});

it('a body rests on the triangles of a stationary model, and rolls off a ball', async () => {
  const models: SceneInput['models'] = {
    cube: { kind: 'box', sizeM: [1, 1, 1], material: 'grey' },
    stone: { kind: 'sphere', radiusM: 0.5, rings: 12, material: 'grey' },
    pillar: { kind: 'cylinder', radiusM: 1, heightM: 2, material: 'grey' },
    ball: { kind: 'sphere', radiusM: 1, material: 'grey' },
  };
  const folder = await bakedScene(
    falling(3, {
      models,
      physics: { ...physics, durationS: 4 },
      motions: {
        cube: { kind: 'baked', restitution: 0 },
        stone: { kind: 'baked', densityKgPerM3: 2650 },
      },
      instances: [
        placed('pillar', [8, 0, 0]),
        placed('ball', [8, 8, 1]),
        placed('cube', [8, 0, 3.5], { motion: 'cube' }),
        placed('stone', [8.3, 8, 3], { motion: 'stone' }),
      ],
    }),
  );
  const rows = bakedIn(join(folder, 'scene.bake.csv'));
  const lastOf = (name: string) => rows.findLast(({ body }) => body === name);
  expect(lastOf('cube')?.zM).toBeCloseTo(2.5, 1);
  expect(lastOf('stone')?.zM).toBeLessThan(0.55);
  expect(lastOf('stone')?.xM).toBeGreaterThan(9);
});

it('the same scene gives the same bytes, and a bake that its materials do not change', async () => {
  const folder = await bakedScene(falling(1));
  const first = readFileSync(join(folder, 'scene.bake.csv'));
  await ran(folder, 'scenario', 'bake', join(folder, 'scene.yaml'));
  expect(readFileSync(join(folder, 'scene.bake.csv')).equals(first)).toBe(true);
  const painted = { ...falling(1), materials: { grey: { reflectance: 0.1 } } };
  writeFileSync(join(folder, 'scene.yaml'), scenario(painted));
  await ran(folder, 'scenario', 'check', join(folder, 'scene.yaml'));
});

it('the sample rockfall has the bake that this machine gives', async () => {
  const folder = temporaryFolder({});
  await ran(folder, 'scenario', 'bake', 'rockfall', `--out=${join(folder, 'again.csv')}`);
  const shipped = readFileSync(join(projectRoot, 'assets/scenarios/rockfall.bake.csv'), 'utf8');
  expect(readFileSync(join(folder, 'again.csv'), 'utf8')).toBe(shipped);
  expect((await runHere(folder, 'scenario', 'bake', 'rockfall')).stderr).toContain(
    'comes with Understory',
  );
});

it('scans meet a body where its bake says, time and again', async () => {
  const folder = await bakedScene(falling(4, { physics: { ...physics, durationS: 1.5 } }));
  // A level ray at half the height of the fall: the cube is before it for as long as it passes.
  const file = join(folder, 'sensor.yaml');
  writeFileSync(
    file,
    sensor({
      scan: { kind: 'sweep', rateHz: 100, minAzimuthDeg: 0, maxAzimuthDeg: 0, slotsPerScan: 1 },
    }),
  );
  const scan = async (out: string): Promise<Record<string, number>[]> => {
    await ran(
      folder,
      'scan',
      join(folder, 'scene.yaml'),
      `--sensor=${file}`,
      '--pose=0,0,2,0',
      '--seconds=1.5',
      '--columns=time_ns,true_range_m,is_moving',
      `--out=${out}`,
    );
    return csvRows(join(folder, out));
  };
  const rows = await scan('one.csv');
  const timesS = rows.map((row) => (row['time_ns'] ?? NaN) / 1e9);
  for (const row of rows) expect(row['true_range_m']).toBeCloseTo(7.5, 3);
  // Its lower face comes by after 2 m of fall, its upper one after 3 m.
  const [fromS, toS] = [2, 3].map((m) => Math.sqrt((2 * m) / gravityMPerS2)) as [number, number];
  expect(Math.abs((timesS[0] ?? NaN) - fromS)).toBeLessThan(0.015);
  expect(Math.abs((timesS.at(-1) ?? NaN) - toS)).toBeLessThan(0.015);
  await scan('two.csv');
  const [one, two] = ['one.csv', 'two.csv'].map((name) => readFileSync(join(folder, name)));
  expect(two?.equals(one ?? Buffer.of())).toBe(true);
});

it('a run and its bundle need no bake', async () => {
  const folder = await bakedScene(withDrive(falling(1)));
  const run = await driveHere(folder, join(folder, 'scene.yaml'), '--seconds=0.3');
  rmSync(join(folder, 'scene.bake.csv'));
  const bundle = join(folder, 'run.understory');
  await ran(folder, 'runs', 'pack', run, `--out=${bundle}`);
  const elsewhere = temporaryFolder({});
  await ran(elsewhere, 'runs', 'unpack', bundle);
  const [taken] = await printedJson<{ id: string }[]>(elsewhere, 'runs', 'list');
  await ran(elsewhere, 'runs', 'verify', taken?.id ?? '');
});

it('another seed has a bake of its own where it moves things that are in the way', async () => {
  const folder = await bakedScene(scattered);
  const file = join(folder, 'scene.yaml');
  const other = ['--seed=2', '--set=scene.physics.file=two.bake.csv'];
  const scan = [`--sensor=vlp-16`, '--pose=0,0,2,0', '--seconds=0.1', '--out=a.csv'];
  const refused = await runHere(folder, 'scan', file, ...scan, '--seed=2');
  expect(refused.stderr).toContain('with the same --seed and --set');
  await ran(folder, 'scenario', 'bake', file, ...other);
  await ran(folder, 'scan', file, ...scan, ...other);
  expect(existsSync(join(folder, 'two.bake.csv'))).toBe(true);
});

it('a bake that is missing, or of another scene, names the command that makes it', async () => {
  const folder = temporaryFolder({ 'scene.yaml': scenario(falling(1)) });
  const missing = await problemsOf(folder, 'scenario', 'check');
  expect(missing).toMatch(/scene\.physics\.file: there is no file '.*scene\.bake\.csv'/);
  expect(missing).toMatch(/understory scenario bake .*scene\.yaml/);
  await ran(folder, 'scenario', 'bake', join(folder, 'scene.yaml'));
  writeFileSync(join(folder, 'scene.yaml'), scenario(falling(2)));
  const other = await problemsOf(folder, 'scenario', 'check');
  expect(other).toContain('expected the bake of this scene');
  expect(other).toMatch(/understory scenario bake .*scene\.yaml/);
  // With a problem in the scenario itself, too.
  writeFileSync(join(folder, 'scene.yaml'), scenario({ ...falling(2), seed: -1 }));
  rmSync(join(folder, 'scene.bake.csv'));
  expect(await problemsOf(folder, 'scenario', 'check')).toContain('there is no file');
});

it('physics and motions of bodies without instances need no bake', async () => {
  const none = scenario(falling(1, { instances: [] }));
  const folder = temporaryFolder({ 'scene.yaml': none });
  await ran(folder, 'scenario', 'check', join(folder, 'scene.yaml'));
  expect(await problemsOf(folder, 'scenario', 'bake')).toContain('has no physics');
});

it('files that are no bake, or of a later version, are refused and never replaced', async () => {
  const folder = temporaryFolder({
    'scene.yaml': scenario(falling(1)),
    'scene.bake.csv': 'a,b\n1,2\n',
  });
  expect(await problemsOf(folder, 'scenario', 'check')).toContain(
    "line 1: expected '# understory bake 1', found 'a,b'",
  );
  expect(await problemsOf(folder, 'scenario', 'bake')).toContain('another file is in the way');
  expect(readFileSync(join(folder, 'scene.bake.csv'), 'utf8')).toBe('a,b\n1,2\n');
  writeFileSync(join(folder, 'scene.bake.csv'), '# understory bake 2\n');
  expect(await problemsOf(folder, 'scenario', 'check')).toContain('line 1: expected version 1');
});

it('ends where it is cancelled, and writes nothing', async () => {
  const long = falling(1, { physics: { ...physics, durationS: 1500 } });
  const folder = temporaryFolder({ 'scene.yaml': scenario(long) });
  const stop = new AbortController();
  const exitCode = await runCommandLine(['scenario', 'bake', join(folder, 'scene.yaml')], {
    output: {
      stdout: () => undefined,
      stderr: (text) => {
        if (text.includes('simulating')) stop.abort();
      },
      isTerminal: true,
      columns: 100,
    },
    environment: { UNDERSTORY_DATA: join(folder, 'data') },
    workingFolder: folder,
    homeFolder: folder,
    stop: stop.signal,
  });
  expect(exitCode).toBe(130);
  expect(existsSync(join(folder, 'scene.bake.csv'))).toBe(false);
});

it('bodies that begin inside a wall or the ground, without volume or physics are problems', async () => {
  const wall = {
    name: 'wall',
    fromM: [8.4, -3],
    toM: [8.4, 3],
    heightM: 4,
    thicknessM: 0.4,
    material: 'grey',
  } as const;
  const inWall = temporaryFolder({
    'scene.yaml': scenario(falling(1, { walls: [{ ...wall, fromM: [8.4, -3], toM: [8.4, 3] }] })),
  });
  expect(await problemsOf(inWall, 'scenario', 'bake')).toMatch(
    /scene\.instances\[0\]\.positionM: expected a place free of other things at time 0, found it 0\.30 m inside 'wall'/,
  );
  expect(existsSync(join(inWall, 'scene.bake.csv'))).toBe(false);
  const inGround = temporaryFolder({ 'scene.yaml': scenario(falling(-0.4)) });
  expect(await problemsOf(inGround, 'scenario', 'bake')).toContain("inside 'ground'");
  const flat = falling(1, {
    models: { cube: { kind: 'plane', sizeM: [1, 1], material: 'grey' } },
    motions: { cube: { kind: 'baked' } },
  });
  const withoutVolume = temporaryFolder({ 'scene.yaml': scenario(flat) });
  expect(await problemsOf(withoutVolume, 'scenario', 'bake')).toContain(
    "expected a body with a volume, found 'cube'",
  );
  const none = scenario(falling(1, { physics: undefined }));
  const withoutPhysics = temporaryFolder({ 'scene.yaml': none });
  expect(await problemsOf(withoutPhysics, 'scenario', 'check')).toContain(
    "scene.physics: expected with the motion 'cube' of kind baked, found nothing",
  );
  const long = falling(1, { physics: { ...physics, durationS: 3000 } });
  const tooLong = temporaryFolder({ 'scene.yaml': scenario(long) });
  expect(await problemsOf(tooLong, 'scenario', 'bake')).toContain(
    'scene.physics.durationS: expected at most 1999 s with 1 bodies',
  );
});
