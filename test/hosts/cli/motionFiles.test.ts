// Motions along the poses of files, by the command line: scans, poses, bundles, and what is refused.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { SceneInput } from '#contract/documents/scene.ts';
import { driveHere, printedJson, ran, runHere } from '#test/support/commandLine.ts';
import { flatGround, placed, scenario, sensor } from '#test/support/documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { scanned } from '#test/support/scan.ts';

/** From x = 5 m at 1 s to 9 m at 2 s, and on the other side of the origin at 3 s. */
const away = 'time_s,x_m,y_m,z_m,yaw_deg\n1,5,0,0,0\n2,9,0,0,0\n3,-9,0,0,90\n';

/** A wall whose near face is 0.5 m before the origin of its frame. */
const scene = (file: string): Partial<SceneInput> => ({
  models: { wall: { kind: 'box', sizeM: [1, 2, 4], material: 'grey' } },
  motions: { away: { kind: 'trajectory', file } },
  instances: [placed('wall', [0, 0, 0], { motion: 'away' })],
});

it('moves along a file, and holds its first and its last pose', async () => {
  const { rows } = await scanned({
    scene: scenario(scene('away.csv')),
    sensor: sensor(),
    files: { 'away.csv': away },
    seconds: 4,
    columns: 'time_ns,true_range_m,velocity_x_m_per_s',
  });
  const rangeAt = (timeS: number): number | undefined =>
    rows.find((row) => Math.abs((row['time_ns'] ?? 0) - timeS * 1e9) < 1)?.['true_range_m'];
  expect(rangeAt(0)).toBeCloseTo(4.5, 5);
  expect(rangeAt(1.5)).toBeCloseTo(6.5, 5);
  expect(rangeAt(2)).toBeCloseTo(8.5, 4);
  // Behind the sensor.
  expect(rangeAt(3.5)).toBeUndefined();
});

it('has its poses in the world, with an origin of the scene, and in `poses`', async () => {
  const file = '1 500005 5400000 300 0 0 0 1\n2 500009 5400000 300 0 0 0 1\n';
  const folder = temporaryFolder({
    'scene.yaml': scenario({ ...scene('away.tum'), origin: [500000, 5400000, 300] }),
    'away.tum': file,
  });
  const out = join(folder, 'poses.txt');
  await ran(folder, 'poses', join(folder, 'scene.yaml'), '--step=1', '--to=3', `--out=${out}`);
  const lines = readFileSync(out, 'utf8').split('\n');
  const from = lines.findIndex((line) => line.startsWith('# object wall'));
  const places = lines.slice(from + 1, from + 5).map((line) => line.split(' ').map(Number));
  expect(places.map(([timeS, x, y, z]) => [timeS, x, y, z])).toEqual([
    [0, 500005, 5400000, 300],
    [1, 500005, 5400000, 300],
    [2, 500009, 5400000, 300],
    [3, 500009, 5400000, 300],
  ]);
});

/** Messages of `scenario check`. */
const problemsOf = async (text: string, files: Record<string, string> = {}): Promise<string> => {
  const folder = temporaryFolder({ 'scene.yaml': text, ...files });
  const { exitCode, stderr } = await runHere(
    folder,
    'scenario',
    'check',
    join(folder, 'scene.yaml'),
  );
  expect(exitCode).toBe(2);
  return stderr;
};

it('reports files that are missing, empty or not in order of time, and names of another machine', async () => {
  const at = 'scene.motions.away.file:';
  const head = 'time_s,x_m,y_m,z_m,yaw_deg\n';
  expect(await problemsOf(scenario(scene('away.csv')))).toMatch(
    new RegExp(`${at} there is no file '.*/away.csv'`),
  );
  const found = [
    [head, 'expected at least one pose, found none'],
    [
      `${head}1,5,0,0,0\n1,6,0,0,0\n`,
      'line 3: expected a time after that of the pose before (1 s), found 1 s',
    ],
    [`${head}1,5,0,0,0\n5,6,0,0,0\n`, 'expected at most 2 s between two poses, found a gap of 4 s'],
    [`${head}1,50000,0,0,0\n`, 'expected a place within 10 km'],
  ] as const;
  for (const [text, message] of found) {
    const problems = await problemsOf(scenario(scene('away.csv')), { 'away.csv': text });
    expect(problems).toContain(at);
    expect(problems).toContain(message);
  }
  expect(await problemsOf(scenario(scene('/tmp/away.csv')))).toContain(
    `${at} expected a name relative to the scenario file`,
  );
  // Where the scenario itself has a problem, too.
  const both = await problemsOf(scenario({ ...scene('away.csv'), seed: -1 }));
  expect(both).toContain(at);
  expect(both).toContain('seed:');
});

it('changes the scenario: another file is another scenario, and a bundle needs none', async () => {
  const driven = scenario({
    ...scene('away.csv'),
    ground: flatGround(100),
    sensors: [{ name: 'lidar', sensor: 'vlp-16', mount: { positionM: [0, 0, 2] } }],
    mission: { startM: [0, -10], startYawDeg: 0, goalM: [10, -10] },
  });
  const folder = temporaryFolder({ 'scene.yaml': driven, 'away.csv': away });
  const file = join(folder, 'scene.yaml');
  const run = await driveHere(folder, file, '--seconds=0.3');
  const hashOf = async (id: string): Promise<string> =>
    (await printedJson<{ scenarioHash: string }>(folder, 'runs', 'show', id)).scenarioHash;
  const bundle = join(folder, 'run.understory');
  await ran(folder, 'runs', 'pack', run, `--out=${bundle}`);
  rmSync(join(folder, 'away.csv'));
  const elsewhere = temporaryFolder({});
  await ran(elsewhere, 'runs', 'unpack', bundle);
  const [taken] = await printedJson<{ id: string }[]>(elsewhere, 'runs', 'list');
  await ran(elsewhere, 'runs', 'verify', taken?.id ?? '');
  expect((await runHere(folder, 'drive', file, '--seconds=0.3')).stderr).toContain('away.csv');
  const other = temporaryFolder({ 'scene.yaml': driven, 'away.csv': away.replace('9,0', '8,0') });
  const second = await driveHere(other, join(other, 'scene.yaml'), '--seconds=0.3');
  const otherHash = (await printedJson<{ scenarioHash: string }>(other, 'runs', 'show', second))
    .scenarioHash;
  expect(otherHash).not.toBe(await hashOf(run));
});
