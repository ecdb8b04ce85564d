// `understory campaign check|plan|results` and `runs list --where`, with real runs of a small yard.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parquetReadObjects } from 'hyparquet';
import { zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openUnderstory } from '#hosts/compose.ts';
import { minimalScenario, minimalSensor } from '#test/support/documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { ask } from '#test/support/context.ts';
import { runHere } from '#test/support/commandLine.ts';

const yard = `${minimalScenario.replace('positionM: [0, 0, 0]', 'positionM: [6, 0, 0]')}  ground: { kind: plane, sizeM: [60, 60], material: soil }
sensors:
  - { name: lidar, sensor: ./near.yaml, mount: { positionM: [0, 0, 1] } }
mission: { startM: [0, 0], goalM: [12, 0], timeoutS: 30 }
navigation: { costMap: { cells: 60 } }
`;

const campaign = `understoryCampaign: 1
name: small
scenarios: [./yard.understory.yaml]
sensors: [./near.yaml, ./far.yaml]
vary:
  heightM: { set: 'sensors[lidar].mount.positionM[2]', values: [0.5, 1.5] }
seeds: [3, 4]
measures:
  goal: goal
  boxReturns: returns(instance = 'a')
  pulses: pulses
limits: { simSeconds: 0.2 }
`;

/** A folder with the campaign and all that it names; `change` edits the campaign. */
function folderWith(change: (text: string) => string = (text) => text): string {
  const folder = temporaryFolder({
    'small.campaign.yaml': change(campaign),
    'yard.understory.yaml': yard,
    'near.yaml': minimalSensor.replace('maxM: 100', 'maxM: 4'),
    'far.yaml': minimalSensor,
  });
  mkdirSync(join(folder, 'data'));
  return folder;
}

/** Executes the campaign of a folder. */
async function execute(folder: string, jobs: number): Promise<void> {
  const host = await openUnderstory({ dataFolder: join(folder, 'data') });
  const request = { campaign: join(folder, 'small.campaign.yaml'), jobs };
  const reply = await ask(host.handlers, 'campaign.run', request);
  await host.dispose();
  expect(reply).toMatchObject({ total: 8, done: 8, failed: 0 });
}

const file = 'small.campaign.yaml';
const check = async (folder: string): Promise<{ path: string; message: string }[]> => {
  const { stdout } = await runHere(folder, 'campaign', 'check', join(folder, file), '--json');
  return JSON.parse(stdout) as { path: string; message: string }[];
};

describe('campaign check', () => {
  it('finds nothing wrong, and says how many runs there are', async () => {
    const folder = folderWith();
    const { exitCode, stderr } = await runHere(folder, 'campaign', 'check', join(folder, file));
    expect(stderr).toContain('no problems; 8 runs (heightM 2, sensor 2, seed 2)');
    expect(exitCode).toBe(0);
  });

  it('reports what makes runs impossible at the value of its axis', async () => {
    const folder = folderWith((text) =>
      text
        .replace('values: [0.5, 1.5]', 'values: [0.5, high]')
        .replace('vary:', 'vary:\n  lane: { set: mission.goalM, values: [3] }'),
    );
    const problems = await check(folder);
    expect(problems.map(({ path }) => path)).toEqual([
      'vary.lane.values[0]',
      'vary.heightM.values[1]',
    ]);
    expect(problems[1]?.message).toBe(
      'with "high": sensors[0].mount.positionM[2]: expected a number, found \'high\' (line 12)',
    );
  });

  it('reports classes, instances and sensors that no run has', async () => {
    const measures = `measures:
  goal: goal
  boxReturns: returns(instance = 'b')
  wrong: count(scans, returns(class in ('ground', 'gras')) > 2) + returns(sensor = 'front')
`;
    const problems = await check(
      folderWith((text) => text.replace(/measures:[^]*(?=limits)/, measures)),
    );
    expect(problems.map(({ path }) => path)).toEqual([
      ...['measures.boxReturns', 'measures.wrong', 'measures.wrong'],
    ]);
    expect(problems[0]?.message).toBe(
      "expected an instance of a planned run, found 'b' (column 20)",
    );
    expect(problems[1]?.message).toMatch(
      /^expected one of .*ground.*, found 'gras' \(column 42\)$/,
    );
    expect(problems[2]?.message).toBe("expected one of lidar, found 'front' (column 75)");
  });

  it('reports names, paths, expressions and rules at their places', async () => {
    expect(
      await check(folderWith((text) => text.replace('./far.yaml', './further.yaml'))),
    ).toMatchObject([{ path: 'sensors[1]' }]);
    expect(
      await check(
        folderWith((text) =>
          text
            .replace("set: 'sensors[lidar].mount.positionM[2]'", "set: 'sensors[lidar'")
            .replace('pulses: pulses', 'pulses: pulses +'),
        ),
      ),
    ).toMatchObject([{ path: 'vary.heightM.set' }, { path: 'measures.pulses' }]);
    expect(
      await check(
        folderWith((text) => text.replace('seeds: [3, 4]', 'seeds: [3, 3]\nreplicates: 2')),
      ),
    ).toMatchObject([{ path: 'seeds[1]' }, { path: 'replicates' }]);
  });
});

describe('campaign plan and results', () => {
  it(
    'plans, reuses and tabulates runs; the table does not depend on the data folder',
    { timeout: 120_000 },
    async () => {
      const folder = folderWith();
      const plan = async (): Promise<Record<string, unknown>> => {
        const { stdout, stderr } = await runHere(
          folder,
          'campaign',
          'plan',
          join(folder, file),
          '--json',
        );
        expect(stderr).not.toContain('understory:');
        return JSON.parse(stdout) as Record<string, unknown>;
      };
      const before = await plan();
      expect(before).toMatchObject({
        runs: 8,
        new: 8,
        reused: 0,
        isa: 'avx2',
        basis: 'trial',
        bytes: 0,
      });
      expect(before['wallSeconds']).toBeGreaterThan(0);
      await execute(folder, 2);
      expect(await plan()).toMatchObject({ runs: 8, new: 0, reused: 8, wallSeconds: 0 });

      // More of an axis: only what is new is to be run.
      const more = campaign.replace('[0.5, 1.5]', '[0.5, 1, 1.5]');
      writeFileSync(join(folder, file), more);
      expect(await plan()).toMatchObject({ runs: 12, new: 4, reused: 8 });
      writeFileSync(join(folder, file), campaign);

      const results = await runHere(folder, 'campaign', 'results', 'small');
      const [head, ...rows] = results.stdout.trimEnd().split('\n');
      expect(head).toBe('run,scenario,sensor,heightM,seed,state,goal,boxReturns,pulses');
      expect(rows).toHaveLength(8);
      expect(rows[1]).toMatch(
        /^1,\.\/yard\.understory\.yaml,\.\/far\.yaml,0\.5,3,done,0,[1-9]\d*,400$/,
      );
      // The near sensor does not reach the box, which is 5.5 m ahead.
      expect(rows[0]).toMatch(/,done,0,0,400$/);

      const other = folderWith();
      await execute(other, 1);
      const again = await runHere(other, 'campaign', 'results', 'small');
      expect(again.stdout).toBe(results.stdout);

      const timing = await runHere(folder, 'campaign', 'results', 'small', '--timing');
      expect(timing.stdout.split('\n')[0]).toBe(`${head},wallS,host,attempts,error`);

      await seeFiles(folder, rows);
      await seeConditions(folder);
    },
  );
});

async function seeFiles(folder: string, rows: readonly string[]): Promise<void> {
  const results = (...args: string[]) => runHere(folder, 'campaign', 'results', 'small', ...args);
  expect((await results('--format', 'parquet', '--out', 'r.parquet')).exitCode).toBe(0);
  const bytes = readFileSync(join(folder, 'r.parquet'));
  const table = await parquetReadObjects({
    file: Uint8Array.from(bytes).buffer,
    compressors: { ZSTD: (input) => Uint8Array.from(zstdDecompressSync(input)) },
  });
  expect(table.map((row) => Object.values(row).join(','))).toEqual(rows);

  const groups = await results('--group-by', 'sensor');
  const lines = groups.stdout.trimEnd().split('\n');
  expect(lines[0]).toContain('sensor,runs,goal,goal_low,goal_high,goal_n,boxReturns,');
  expect(lines.map((line) => line.split(',').slice(0, 3).join())).toEqual([
    'sensor,runs,goal',
    './near.yaml,4,0',
    './far.yaml,4,0',
  ]);
  // Wilson 1927: 0 of 4.
  expect(Number(lines[1]?.split(',')[4])).toBeCloseTo(0.4899, 4);
  const compared = await results('--group-by', 'sensor', '--compare', 'sensor');
  expect(compared.stdout).toMatch(/^sensor,against,pairs,goal,/);
  expect(compared.stdout).toMatch(/\n\.\/far\.yaml,\.\/near\.yaml,4,0,0,0,4,[1-9]/);

  await results(
    '--group-by',
    'heightM',
    '--plot',
    'line.svg',
    '--measure',
    'boxReturns',
    '--quiet',
  );
  expect(readFileSync(join(folder, 'line.svg'), 'utf8')).toContain(
    'mean of boxReturns, 95 % intervals',
  );
  await results('--group-by', 'heightM,sensor', '--plot', 'map.png', '--measure', 'boxReturns');
  expect(readFileSync(join(folder, 'map.png')).subarray(1, 4).toString()).toBe('PNG');

  const chosen = await results('--columns', 'goal,run', '--where', 'pulses > 0 and run < 2');
  expect(chosen.stdout).toBe('goal,run\n0,0\n0,1\n');
  expect((await results('--columns', 'goal,speed')).stderr).toContain(
    'columns[1]: expected one of run, scenario, sensor',
  );
  expect((await results('--group-by', 'density')).stderr).toContain(
    'by[0]: expected one of scenario, sensor',
  );
  expect((await results('--where', 'heightM >')).stderr).toContain('(column 10)');
  expect(
    (await results('--where', "sensor = './far.yaml' and heightM > 1")).stdout.split('\n'),
  ).toHaveLength(4);
}

async function seeConditions(folder: string): Promise<void> {
  const count = async (where: string): Promise<number | string> => {
    const { stdout, stderr } = await runHere(folder, 'runs', 'list', '--where', where, '--json');
    return stdout === '' ? stderr : (JSON.parse(stdout) as unknown[]).length;
  };
  expect(await count('campaign.heightM > 1')).toBe(4);
  // From 1.5 m even the far sensor looks over the box.
  expect(await count('campaign.heightM > 1 and campaign.boxReturns = 0 and goal = 0')).toBe(4);
  expect(await count("campaign = 'small' and seed = 3 and campaign.sensor = './far.yaml'")).toBe(2);
  expect(await count('not (campaign.heightM > 1) or seed in (4, 5)')).toBe(6);
  expect(await count('campaign.boxReturns / pulses > 0 and seed / 2 = 1.5')).toBe(1);
  expect(await count("campaign = 'other'")).toBe(0);
  expect(await count("name = 'x'' or 1 = 1")).toContain('(column');
  expect(await count('campaign.height > 1')).toContain("found 'campaign.height' (column 1)");
}
