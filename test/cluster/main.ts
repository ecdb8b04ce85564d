// `npm run cluster -- --json FILE`: a campaign on a real Slurm of several nodes on this machine, one of which is lost in the
// middle, and one scan over MPI ranks, one of which is lost. Needs root, for Slurm's daemons. Exit code 1 where a run is
// lost, a table or a byte differs.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mainFile } from '#test/support/commandLine.ts';
import { rankPids } from '#test/workers/mpiRanks.ts';
import { openUnderstory } from '#hosts/compose.ts';
import { ask } from '#test/support/context.ts';

const nodes = 4;
const limitMs = 600_000;
const ranks = 2;
const campaignFile = fileURLToPath(new URL('lost.campaign.yaml', import.meta.url));
const script = fileURLToPath(new URL('slurm-here.sh', import.meta.url));

const { values } = parseArgs({ options: { json: { type: 'string' } } });
const folder = mkdtempSync(join(tmpdir(), 'understory-cluster-'));
try {
  const slurm = await campaignOnSlurm();
  const mpi = await scanOverRanks();
  const text = `${JSON.stringify({ slurm, mpi }, null, 2)}\n`;
  process.stdout.write(text);
  if (values.json !== undefined) writeFileSync(resolve(values.json), text);
  const isGood = slurm.runsLost === 0 && slurm.tablesEqual && mpi.bytesEqual;
  if (!isGood || mpi.deadRankSeconds > 10) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function campaignOnSlurm() {
  const [local, shared] = [join(folder, 'local'), join(folder, 'shared')];
  say('the campaign on this machine …');
  await runHere(local);
  const cluster = join(folder, 'slurm');
  say(`a Slurm of ${nodes} nodes …`);
  const started = execFileSync('bash', [script, 'start', cluster, String(nodes)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [, conf = ''] = /SLURM_CONF=(\S+)/.exec(started) ?? [];
  const environment = { ...process.env, SLURM_CONF: conf };
  try {
    const options = ['--runs-per-task', '2', '--time', '10', '--json'];
    const submitted = command(environment, shared, 'campaign', 'slurm', campaignFile, ...options);
    say(submitted.trim());
    const { jobId } = JSON.parse(submitted) as { jobId: string };
    const lost = await loseNode(environment, cluster, jobId);
    await untilEnded(environment, jobId);
    const collected = command(environment, shared, 'campaign', 'collect', campaignFile, '--json');
    say(collected.trim());
    const { total, done } = JSON.parse(collected) as { total: number; done: number };
    const tables = [local, shared].map((data) =>
      command(environment, data, 'campaign', 'results', 'lost'),
    );
    const tablesEqual = tables[0] === tables[1] && tables[0] !== '';
    return { nodes, lost, runsLost: total - done, tablesEqual };
  } finally {
    execFileSync('bash', [script, 'stop', cluster], { stdio: 'inherit' });
  }
}

/** Ends a node that executes a task, once results of others are there. Returns how many were ended. */
async function loseNode(
  environment: NodeJS.ProcessEnv,
  cluster: string,
  jobId: string,
): Promise<number> {
  const endMs = Date.now() + limitMs;
  while (Date.now() < endMs) {
    await delay(500);
    const listed = queue(environment, jobId, '%T %N');
    const running = listed
      .filter((line) => line.startsWith('RUNNING '))
      .map((line) => line.slice(8));
    const results = spawnSync('find', [join(folder, 'shared'), '-name', '*.run'], {
      encoding: 'utf8',
    });
    const [node] = running;
    if (node === undefined || results.stdout.split('\n').length < 4) continue;
    say(`node ${node} is lost, with ${running.length} tasks under way`);
    execFileSync('bash', [script, 'lose', cluster, node], { env: environment, stdio: 'inherit' });
    return 1;
  }
  throw new Error('no task ever ran');
}

async function untilEnded(environment: NodeJS.ProcessEnv, jobId: string): Promise<void> {
  const endMs = Date.now() + limitMs;
  for (let before = ''; Date.now() < endMs;) {
    const listed = queue(environment, jobId, '%i %T %N %r');
    if (listed.length === 0) return;
    const text = listed.join('; ');
    if (text !== before) say(text);
    before = text;
    await delay(2000);
  }
  throw new Error('the job did not end');
}

function queue(environment: NodeJS.ProcessEnv, jobId: string, format: string): string[] {
  const args = ['--noheader', '--array', '--jobs', jobId, `--format=${format}`];
  const { stdout } = spawnSync('squeue', args, { encoding: 'utf8', env: environment });
  return stdout.split('\n').filter((line) => line !== '');
}

async function runHere(data: string): Promise<void> {
  const host = await openUnderstory({ dataFolder: data });
  await ask(host.handlers, 'campaign.run', { campaign: campaignFile });
  await host.dispose();
}

async function scanOverRanks() {
  say(`a scan over ${ranks} MPI ranks …`);
  const scan = ['scan', 'clearing', '--sensor', 'hdl-32e', '--pose', '0,0,1,0', '--force', '--out'];
  const data = join(folder, 'mpi');
  const files = ['alone.csv', 'ranks.csv'].map((name) => join(folder, name));
  const [alone = '', spread = ''] = files;
  command(process.env, data, ...scan, alone, '--seconds', '0.1');
  command(process.env, data, ...scan, spread, '--seconds', '0.1', '--ranks', String(ranks));
  const bytesEqual = readFileSync(alone).equals(readFileSync(spread));
  return { ranks, bytesEqual, deadRankSeconds: await deadRankSeconds(scan, data) };
}

/** From the end of a rank to the end of the command, which must fail. */
async function deadRankSeconds(scan: readonly string[], data: string): Promise<number> {
  const args = ['--data', data, ...scan, join(folder, 'dead.csv')];
  const child = spawn(process.execPath, [mainFile, ...args, '--seconds', '600', '--ranks', '2'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<number | null>((end) => child.on('close', end));
  let errors = '';
  child.stderr.on('data', (bytes: Buffer) => (errors += bytes.toString()));
  const endMs = Date.now() + 60_000;
  let other: number | undefined;
  while (other === undefined && Date.now() < endMs) {
    await delay(200);
    other = /scanning/.test(errors) ? otherRankBelow(child.pid ?? 0) : undefined;
  }
  if (other === undefined) throw new Error(`no rank was found: ${errors}`);
  const killedMs = performance.now();
  process.kill(other, 'SIGKILL');
  const code = await ended;
  const seconds = (performance.now() - killedMs) / 1000;
  say(errors.trim().split('\n').at(-1) ?? '');
  if (code === 0) throw new Error('the scan did not fail');
  return Number(seconds.toFixed(2));
}

/** The process of rank 1 below a command. */
function otherRankBelow(pid: number): number | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const pids = children === '' ? [] : children.split(/\s+/).map(Number);
  return pids.map((child) => rankPids(child)[1]).find((rank) => rank !== undefined);
}

function command(environment: NodeJS.ProcessEnv, data: string, ...args: string[]): string {
  return execFileSync(process.execPath, [mainFile, '--data', data, '--quiet', ...args], {
    encoding: 'utf8',
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
