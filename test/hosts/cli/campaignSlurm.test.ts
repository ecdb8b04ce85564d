// A campaign in tasks of an array job, without Slurm: the script of the job is run for each task, the results are
// collected, and the table is that of an undisturbed campaign on this machine. `npm run cluster` does the same with Slurm.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openUnderstory } from '#hosts/compose.ts';
import { arrayScript, tasksOf } from '#hosts/cli/slurm/arrayJob.ts';
import { minimalScenario, minimalSensor } from '#test/support/documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { ask } from '#test/support/context.ts';
import { start, type Finished } from '#test/support/commandLine.ts';

const yard = `${minimalScenario.replace('positionM: [0, 0, 0]', 'positionM: [6, 0, 0]')}  ground: { kind: plane, sizeM: [60, 60], material: soil }
sensors:
  - { name: lidar, sensor: ./near.yaml, mount: { positionM: [0, 0, 1] } }
mission: { startM: [0, 0], goalM: [12, 0], timeoutS: 30 }
navigation: { costMap: { cells: 60 } }
`;

const campaign = `understoryCampaign: 1
name: small
scenarios: [./yard.understory.yaml]
vary:
  heightM: { set: 'sensors[lidar].mount.positionM[2]', values: [0.5, 1.5] }
seeds: [3, 4]
measures:
  goal: goal
  boxReturns: returns(instance = 'a')
limits: { simSeconds: 0.1 }
save: { recording: true }
`;

/** A folder with the campaign and all that it names. */
function folderWith(): string {
  const folder = temporaryFolder({
    'small.campaign.yaml': campaign,
    'yard.understory.yaml': yard,
    'near.yaml': minimalSensor,
  });
  mkdirSync(join(folder, 'data'));
  return folder;
}

function run(folder: string, ...args: string[]): Promise<Finished> {
  return start(folder, ...args).finished;
}

/** The table of an execution on this machine. */
async function localTable(folder: string): Promise<string> {
  const host = await openUnderstory({ dataFolder: join(folder, 'data') });
  const request = { campaign: join(folder, 'small.campaign.yaml'), jobs: 1 };
  await ask(host.handlers, 'campaign.run', request);
  await host.dispose();
  return (await run(folder, 'campaign', 'results', 'small')).stdout;
}

/** Runs the script of the job as Slurm would, for one task. */
async function runTask(folder: string, task: number): Promise<number | null> {
  const child = spawn('sh', [join(folder, 'data/campaigns/small/job.sh')], {
    env: { ...process.env, SLURM_ARRAY_TASK_ID: String(task), TMPDIR: join(folder, 'scratch') },
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

const collect = ['campaign', 'collect', 'small.campaign.yaml', '--json'];

describe('a campaign in tasks', () => {
  it('has the table and recordings of one on this machine, and collecting twice changes nothing', async () => {
    const [local, cluster] = [folderWith(), folderWith()];
    const expected = await localTable(local);
    mkdirSync(join(cluster, 'scratch'));
    const submitted = await run(
      cluster,
      ...[
        'campaign',
        'slurm',
        'small.campaign.yaml',
        '--runs-per-task',
        '2',
        '--dry-run',
        '--json',
      ],
    );
    expect(JSON.parse(submitted.stdout)).toMatchObject({ tasks: 2, runs: 4, jobId: null });

    expect(await runTask(cluster, 1)).toBe(0);
    expect(JSON.parse((await run(cluster, ...collect)).stdout)).toMatchObject({
      collected: 2,
      done: 2,
      failed: 0,
      pending: 2,
    });
    expect(await runTask(cluster, 0)).toBe(0);
    // A task that is executed again, as after the loss of a node, finds its results there.
    expect(await runTask(cluster, 0)).toBe(0);
    expect(readdirSync(join(cluster, 'scratch'))).toEqual([]);
    expect(JSON.parse((await run(cluster, ...collect)).stdout)).toMatchObject({
      collected: 2,
      done: 4,
      pending: 0,
    });
    const table = async (): Promise<string> =>
      (await run(cluster, 'campaign', 'results', 'small')).stdout;
    expect(await table()).toBe(expected);
    expect(expected.split('\n')).toHaveLength(6);
    const timing = async (): Promise<string> =>
      (await run(cluster, 'campaign', 'results', 'small', '--timing', '--columns', 'attempts'))
        .stdout;
    // No collecting counts as an attempt, neither before nor after it was executed.
    expect(await timing()).toBe('attempts\n1\n1\n1\n1\n');
    expect(JSON.parse((await run(cluster, ...collect)).stdout)).toMatchObject({ collected: 0 });
    expect(await table()).toBe(expected);

    // Recordings too, with the bytes that a simulation on this machine has.
    const listed = JSON.parse((await run(cluster, 'runs', 'list', '--json')).stdout) as {
      id: string;
    }[];
    expect(listed).toHaveLength(4);
    expect(await run(cluster, 'runs', 'verify', listed[0]?.id ?? '')).toMatchObject({
      exitCode: 0,
    });
  });
});

describe('a node whose engine is not that of the machine that submitted', () => {
  it('is refused in a sentence, and executes nothing', async () => {
    const folder = folderWith();
    await run(folder, 'campaign', 'slurm', 'small.campaign.yaml', '--tasks', '1', '--dry-run');
    const shared = join(folder, 'data/campaigns/small');
    const job = JSON.parse(readFileSync(join(shared, 'task.json'), 'utf8')) as { engine: string };
    expect(job.engine).toMatch(/^[0-9a-f]{64}$/);
    // As from a processor of another maker.
    writeFileSync(join(shared, 'task.json'), JSON.stringify({ ...job, engine: '0'.repeat(64) }));
    const task = await run(folder, '--data', join(folder, 'own'), 'campaign', 'task', shared, '0');
    expect(task.exitCode).toBe(10);
    expect(task.stderr).toContain('this node has another engine');
    const results = join(shared, 'results');
    expect(existsSync(results) ? readdirSync(results) : []).toEqual([]);
  });
});

describe('a campaign of the data folder', () => {
  it('is submitted by its name from anywhere, and tasks execute again what lacks its recording', async () => {
    const folder = folderWith();
    const away = join(folder, 'elsewhere');
    mkdirSync(away);
    mkdirSync(join(folder, 'scratch'));
    const file = join(folder, 'small.campaign.yaml');
    const one = campaign.replace('[3, 4]', '[3]').replace('[0.5, 1.5]', '[0.5]');
    writeFileSync(file, one.replace('{ recording: true }', '{}'));
    const inData = (...args: string[]): Promise<Finished> =>
      run(away, '--data', join(folder, 'data'), ...args);
    await inData('campaign', 'slurm', file, '--tasks', '1', '--dry-run');
    expect(await runTask(folder, 0)).toBe(0);
    writeFileSync(file, one);
    const again = await inData('campaign', 'slurm', 'small', '--tasks', '1', '--dry-run', '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ tasks: 1, runs: 1 });
    expect(await runTask(folder, 0)).toBe(0);
    const collected = await inData('campaign', 'collect', 'small', '--json');
    expect(JSON.parse(collected.stdout)).toMatchObject({ collected: 1, done: 1, pending: 0 });
    const listed = JSON.parse((await inData('runs', 'list', '--json')).stdout) as { id: string }[];
    expect((await inData('runs', 'verify', listed[0]?.id ?? '')).exitCode).toBe(0);
    // Moved, the campaign is the same: nothing is missing.
    const moved = join(away, 'small.campaign.yaml');
    writeFileSync(moved, one.replace('./yard', '../yard'));
    rmSync(file);
    const later = await inData('campaign', 'slurm', moved, '--tasks', '1', '--dry-run', '--json');
    expect(JSON.parse(later.stdout)).toMatchObject({ tasks: 0, runs: 0 });
  });
});

describe('the script of an array job', () => {
  it('says what Slurm needs', () => {
    const script = arrayScript({
      name: 'small',
      tasks: 12,
      atOnce: 4,
      time: '02:00:00',
      partition: 'long',
      cpusPerTask: 2,
      folder: "/shared/it's 50%",
      command: ['/node', '/main.ts'],
    });
    for (const line of [
      '--array=0-11%4',
      '--requeue',
      '--time=02:00:00',
      '--partition=long',
      '--cpus-per-task=2',
      `--output="/shared/it's 50%%/logs/%a.log"`,
    ]) {
      expect(script).toContain(`#SBATCH ${line}\n`);
    }
    expect(script).toContain(
      `'/node' '/main.ts' --data "$scratch/data" campaign task '/shared/it'\\''s 50%'`,
    );
  });

  it('has tasks of neighbours', () => {
    expect(tasksOf([0, 2, 3, 7, 9], 2)).toEqual([[0, 2], [3, 7], [9]]);
    expect(tasksOf([], 2)).toEqual([]);
  });
});
