// `npm run soak [-- SECONDS]`: one host over stdio does everything that a session does, round after round: drives,
// watches, shows, replays, exports, packs, unpacks, logs, learns, imports, checks, deletes. Prints memory, open files and
// child processes of the host over time; fails where a call fails, where the host's memory grows by more than a tenth
// after the first tenth of the time, or where a process is left at the end.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Method, Replies, RequestInputOf } from '#contract/host/methods.ts';
import { createPeer } from '#contract/wire/rpc.ts';
import { median } from '#domain/shared/statistics.ts';
import { stdioChannel } from '#workers/stdioChannel.ts';
import { glbOf, treeGltf } from '#test/domain/import/glb.ts';
import { mainFile } from '#test/support/commandLine.ts';

const seconds = Number(process.argv[2] ?? 3600);
/** Growth of memory after the first tenth that is taken for a leak. */
const maxGrowth = 0.1;
/** Runs that stay; older ones are deleted, so that the catalogue does not grow. */
const keptRuns = 3;

const folder = mkdtempSync(join(tmpdir(), 'understory-soak-'));
const environment = {
  ...process.env,
  UNDERSTORY_DATA: join(folder, 'data'),
  UNDERSTORY_CACHE: join(folder, 'cache'),
};
const host = spawn(process.execPath, [mainFile, 'serve', '--stdio', '--quiet'], {
  env: environment,
  stdio: ['pipe', 'pipe', 'inherit'],
});
const ended = new Promise<number | null>((resolve) => host.on('close', resolve));
const peer = createPeer(stdioChannel(host.stdout, host.stdin));
const call = async <M extends Method>(method: M, body: RequestInputOf<M>): Promise<Replies[M]> =>
  (await peer.call(method, body, { onChunk: () => undefined })).body as Replies[M];

interface Sample {
  atS: number;
  residentMB: number;
  files: number;
  children: number;
}

const samples: Sample[] = [];
const startMs = performance.now();
const secondsSoFar = (): number => (performance.now() - startMs) / 1000;
const glb = join(folder, 'tree.glb');
const { json, bin } = treeGltf();
writeFileSync(glb, glbOf(json, bin));
let rounds = 0;
try {
  for (; secondsSoFar() < seconds; rounds += 1) {
    await round(rounds);
    note();
  }
} catch (error) {
  console.error(`round ${rounds}:`, error);
  process.exitCode = 1;
}
peer.close();
const code = await ended;
const left = processesOf(join(folder, 'data'));
rmSync(folder, { recursive: true, force: true });
conclude();

async function round(number: number): Promise<void> {
  const out = join(folder, `out-${number}`);
  mkdirSync(out);
  const in_ = (name: string): string => join(out, name);
  const order = { scenario: 'clearing', sensor: 'vlp-16', seconds: 0.5, seed: number };
  const { runId } = await call('drive.start', order);
  await call('drive.watch', { runId, maxPoints: 2000 });
  await call('runs.show', { runId });
  await call('runs.scans', { runId });
  await call('runs.ticks', { runId });
  await call('runs.at', { runId, timeS: 0.2 });
  await call('runs.replay', { runId, speed: 1000 });
  await call('runs.export', { runId, format: 'csv', out: in_('x.csv') });
  await call('runs.export', { runId, format: 'las', out: in_('x.las') });
  await call('runs.verify', { runId });
  const bundle = in_('x.understory');
  await call('runs.pack', { runIds: [runId], out: bundle, recording: true, page: true });
  await call('runs.unpack', { path: bundle });
  await call('log.import', { source: runId, out: in_('x.log') });
  await call('log.show', { log: in_('x.log'), maxPoints: 1000 });
  await call('log.cloud', { log: in_('x.log'), maxPoints: 1000 });
  await call('log.export', { log: in_('x.log'), out: in_('y.csv') });
  await call('learn.start', { logs: [in_('x.log')], model: 'voxel', out: in_('x.ply') });
  await call('learn.elements', { model: in_('x.ply') });
  await call('scenario.import', { files: [glb], out: in_('tree.understory.yaml') });
  await call('scenario.check', { scenario: in_('tree.understory.yaml') });
  const runs = (await call('runs.list', {})).runs.map(({ id }) => id);
  const old = runs.slice(keptRuns);
  if (old.length > 0) {
    await call('runs.delete', { runIds: old });
    await call('runs.empty', {});
  }
  rmSync(out, { recursive: true });
}

function note(): void {
  const { pid } = host;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const sample: Sample = {
    atS: secondsSoFar(),
    residentMB: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? NaN) / 1000,
    files: readdirSync(`/proc/${pid}/fd`).length,
    children: children === '' ? 0 : children.split(' ').length,
  };
  const last = samples.at(-1);
  samples.push(sample);
  // Some sixty lines, however long it takes.
  if (
    last !== undefined &&
    Math.floor((60 * last.atS) / seconds) === Math.floor((60 * sample.atS) / seconds)
  )
    return;
  const { atS, residentMB, files } = sample;
  console.log(
    `${atS.toFixed(0)} s: ${rounds + 1} rounds, ${residentMB.toFixed(0)} MB, ${files} files, ${sample.children} children`,
  );
}

/** Ids of the processes of this data folder, workers included. */
function processesOf(dataFolder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(
        `UNDERSTORY_DATA=${dataFolder}\0`,
      );
    } catch {
      // Why swallowed: it has ended meanwhile, or is no process.
      return false;
    }
  });
}

/** Medians of a tenth, so that a collection of garbage that is due does not count. */
function conclude(): void {
  const after = samples
    .filter(({ atS }) => atS >= 0.1 * seconds)
    .map(({ residentMB }) => residentMB);
  const part = Math.max(1, Math.ceil(after.length / 9));
  const [first, last] = [median(after.slice(0, part)), median(after.slice(-part))];
  const growth = last / first - 1;
  console.log(
    `${rounds} rounds; host: ${first.toFixed(0)} MB after the first tenth, ${last.toFixed(0)} MB at the end (${(100 * growth).toFixed(1)} %); exit ${code}; ${left.length} processes left`,
  );
  if (!(growth <= maxGrowth) || code !== 0 || left.length > 0) process.exitCode = 1;
}
