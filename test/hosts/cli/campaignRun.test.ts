// `understory campaign run|status|stop|retry` with real processes: what is repeated, shared, lost and told.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { CampaignStatus } from '#contract/host/campaignMethods.ts';
import type { DriveReport } from '#hosts/cli/driveReport.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { campaignRowsOf, untilDone, withCatalogue } from '#test/support/campaignRuns.ts';
import { childrenOf } from '#test/hosts/runProcess/realRun.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { printedJson, ran, runHere, start, type Started } from '#test/support/commandLine.ts';

vi.setConfig({ testTimeout: 240_000 });

/** Runs of the campaign that is killed: 50 heights of the sensor in 4 scenes. */
const pitches = 50;
const seeds = 4;

interface Change {
  name?: string;
  pitchDeg?: (number | string)[];
  seeds?: number[];
  measures?: Record<string, string>;
  more?: string;
}

/** Writes a campaign of runs of two ticks, where no other limits are given; returns its file. */
function campaignFile(folder: string, change: Change = {}): string {
  const { name = 'pitch', pitchDeg = [0, 1, 2], seeds: seedList = [1], more = '' } = change;
  const { measures = { points: 'points', oak: "returns(instance = 'oak-a')" } } = change;
  const file = join(folder, `${name}.campaign.yaml`);
  const lines = [
    'understoryCampaign: 1',
    `name: ${name}`,
    'scenarios: [clearing]',
    'sensors: [lms-291]',
    `vary: { pitch: { set: 'sensors[0].mount.pitchDeg', values: [${pitchDeg.join(', ')}] } }`,
    `seeds: [${seedList.join(', ')}]`,
    `measures: ${JSON.stringify(measures)}`,
    ...(more === '' ? ['limits: { simSeconds: 0.2 }'] : [more]),
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

const rowsOf = (folder: string, name = 'pitch') => campaignRowsOf(folder, name);

/** The rows of the results of a campaign, without hosts, times and ids. */
function tableOf(folder: string, name = 'pitch'): string {
  return rowsOf(folder, name)
    .map(({ planIndex, state, measures }) => JSON.stringify({ planIndex, state, measures }))
    .join('\n');
}

async function statusOf(folder: string, name = 'pitch'): Promise<CampaignStatus> {
  return printedJson<CampaignStatus>(folder, 'campaign', 'status', name);
}

async function killedWithChildren({ child, finished }: Started): Promise<void> {
  const pid = child.pid ?? 0;
  const processes = childrenOf(pid);
  const workers = processes.flatMap((each) => childrenOf(each));
  for (const each of [pid, ...processes, ...workers]) process.kill(each, 'SIGKILL');
  await finished;
}

describe('a campaign of 200 runs', () => {
  it('loses only the runs under way when all is killed, and has the results of an undisturbed campaign', async () => {
    const [calm, rough] = [temporaryFolder(), temporaryFolder()];
    const change = {
      pitchDeg: Array.from({ length: pitches }, (_, index) => index / 10),
      seeds: Array.from({ length: seeds }, (_, index) => index + 1),
      more: 'limits: { simSeconds: 1 }',
    };
    const total = pitches * seeds;
    const undisturbed = await runHere(calm, 'campaign', 'run', campaignFile(calm, change));
    expect(undisturbed).toMatchObject({ exitCode: 0 });
    expect(undisturbed.stdout).toContain(`${total} of ${total} runs done`);

    const file = campaignFile(rough, change);
    const killed = start(rough, 'campaign', 'run', file, '--jobs', '2');
    await untilDone(killed, rough, 60, 'pitch');
    await killedWithChildren(killed);
    const after = await statusOf(rough);
    expect(after).toMatchObject({ state: 'stopped', running: 0, failed: 0, total });
    expect(after.done).toBeGreaterThanOrEqual(60);
    expect(after.done).toBeLessThan(total);
    const again = await runHere(rough, 'campaign', 'run', file, '--json');
    expect(again.exitCode).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({
      state: 'finished',
      done: total,
      doneNow: total - after.done,
    });
    expect(tableOf(rough)).toBe(tableOf(calm));
    const attempts = rowsOf(rough).reduce((sum, row) => sum + row.attempts, 0);
    expect(attempts - total).toBeLessThanOrEqual(2);
  });
});

describe('runs of a campaign', () => {
  it('are repeated only where they are new, and shared with other campaigns', async () => {
    const folder = temporaryFolder();
    const file = campaignFile(folder);
    await ran(folder, 'campaign', 'run', file);
    const before = rowsOf(folder);
    campaignFile(folder, { pitchDeg: [2, 0.5, 0] });
    const more = await runHere(folder, 'campaign', 'run', file, '--json');
    expect(JSON.parse(more.stdout)).toMatchObject({
      total: 3,
      done: 3,
      doneNow: 1,
      reusedNow: 2,
    });
    const after = rowsOf(folder);
    expect(after.map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
    expect([after[0]?.runId, after[2]?.runId]).toEqual([before[2]?.runId, before[0]?.runId]);

    // Its measure of the returns is new, but for points the runs are known.
    const other = campaignFile(folder, { name: 'other', measures: { seen: 'points' } });
    await runHere(folder, 'campaign', 'run', other);
    const shared = rowsOf(folder, 'other');
    expect(shared.map(({ runId }) => runId)).toEqual(before.map(({ runId }) => runId));
    expect(shared.map(({ measures }) => measures?.['seen'])).toEqual(
      before.map(({ measures }) => measures?.['points']),
    );
    expect(shared.every(({ attempts }) => attempts === 0)).toBe(true);
  });

  it('share the run of a drive', async () => {
    const folder = temporaryFolder();
    const set = ['--set', 'sensors[0].mount.pitchDeg=1'];
    const args = ['drive', 'clearing', '--sensor', 'lms-291', '--seed', '1', '--seconds', '0.2'];
    const drive = await runHere(folder, ...args, ...set, '--isa', 'avx2', '--json', 'drive.json');
    expect(drive.exitCode).toBe(0);
    const file = campaignFile(folder, { measures: { points: 'points' } });
    await runHere(folder, 'campaign', 'run', file);
    const reports = JSON.parse(readFileSync(join(folder, 'drive.json'), 'utf8')) as DriveReport[];
    const rows = rowsOf(folder);
    expect(rows.map(({ attempts }) => attempts)).toEqual([1, 0, 1]);
    expect(rows[1]).toMatchObject({
      runId: reports[0]?.runId,
      measures: { points: reports[0]?.points },
    });
  });

  it('that fail are marked, the others continue, and retry executes them again', async () => {
    const folder = temporaryFolder();
    const file = campaignFile(folder, { pitchDeg: [0, 'steep', 1] });
    const first = await runHere(folder, 'campaign', 'run', file);
    expect(first.exitCode).toBe(3);
    expect(first.stderr).toContain('run 1 failed: scenario');
    expect(await statusOf(folder)).toMatchObject({ state: 'finished', done: 2, failed: 1 });
    const again = await runHere(folder, 'campaign', 'run', file, '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ doneNow: 0, failedNow: 0 });
    expect(again.exitCode).toBe(3);
    expect((await runHere(folder, 'campaign', 'retry', 'pitch')).exitCode).toBe(3);
    expect(rowsOf(folder).map(({ attempts }) => attempts)).toEqual([1, 2, 1]);
    const limited = campaignFile(folder, {
      more: 'limits: { simSeconds: 0.2, wallSeconds: 0.001 }',
    });
    await runHere(folder, 'campaign', 'run', limited);
    expect(rowsOf(folder)[2]).toMatchObject({
      state: 'failed',
      error: 'the run took longer than the limit of 0.001 s',
    });
  });

  it('are missing where the campaign reached its limit of disk space, which the exit code says', async () => {
    const folder = temporaryFolder();
    const more = 'limits: { simSeconds: 0.2, diskMB: 0.001 }\nsave: { recording: true }';
    const file = campaignFile(folder, { more });
    const args = ['campaign', 'run', file, '--limit', '3', '--jobs', '1'];
    const first = await runHere(folder, ...args, '--json');
    expect(JSON.parse(first.stdout)).toMatchObject({ doneNow: 1, failedNow: 0, pendingNow: 2 });
    expect(first.stderr).toContain('its recordings reached the limit of 1.0 kB');
    expect(first.exitCode).toBe(3);
  });

  it('leave recordings where the campaign saves them', async () => {
    const folder = temporaryFolder();
    const more = 'limits: { simSeconds: 0.2 }\nsave: { recording: true }';
    const file = campaignFile(folder, { pitchDeg: [3], more });
    await ran(folder, 'campaign', 'run', file);
    const [run] = rowsOf(folder);
    const verified = await runHere(folder, 'runs', 'verify', run?.runId ?? '');
    expect(verified).toMatchObject({ exitCode: 0 });
    // Without a recording it is shared.
    campaignFile(folder, { pitchDeg: [3] });
    await runHere(folder, 'campaign', 'run', file);
    expect(rowsOf(folder)[0]?.runId).toBe(run?.runId);
  });

  it('share recordings that have all that is asked for, and no others', async () => {
    const folder = temporaryFolder();
    const save = async (name: string, saved: string, vary = ''): Promise<string | null> => {
      const more = `limits: { simSeconds: 0.2 }\nsave: { recording: true${saved} }`;
      const file = campaignFile(folder, { name, pitchDeg: [3], more });
      const text = readFileSync(file, 'utf8').replace('vary: { ', `vary: { ${vary}`);
      writeFileSync(file, text);
      await ran(folder, 'campaign', 'run', file);
      return rowsOf(folder, name)[0]?.runId ?? null;
    };
    const bare = await save('bare', ', truth: false');
    const full = await save('full', '');
    expect(full).not.toBe(bare);
    expect([bare, full]).toContain(await save('bare-again', ', truth: false'));
    expect(await save('full-again', '')).toBe(full);
    // The same run, but clouds in another form.
    const organised = 'form: { set: recording.organised, values: [true] }, ';
    const other = await save('organised', '', organised);
    expect([bare, full]).not.toContain(other);
    const identities = ['bare', 'full', 'organised'].map(
      (name) => rowsOf(folder, name)[0]?.identity,
    );
    expect(new Set(identities).size).toBe(1);
  });
});

describe('a campaign with recordings', () => {
  it('that is killed and started again has no other runs than its own', async () => {
    const folder = temporaryFolder();
    const more = 'limits: { simSeconds: 1 }\nsave: { recording: true }';
    const file = campaignFile(folder, { pitchDeg: [0, 1, 2, 3, 4, 5, 6, 7], more });
    const killed = start(folder, 'campaign', 'run', file);
    await untilDone(killed, folder, 2, 'pitch');
    await killedWithChildren(killed);
    await ran(folder, 'campaign', 'run', file);
    const runs = withCatalogue(folder, (catalogue) => catalogue.runs({ withTrash: true }));
    expect(runs.map(({ state }) => state)).toEqual(Array(8).fill('finished'));
    expect(runs.map(({ id }) => id).sort()).toEqual(
      rowsOf(folder)
        .map(({ runId }) => runId)
        .sort(),
    );
    // A kill between a folder and its row leaves the folder, without a recording: emptying the trash removes it.
    const left = readdirSync(join(folder, 'data', 'runs'), { recursive: true, encoding: 'utf8' });
    expect(left.filter((name) => name.endsWith('.mcap'))).toHaveLength(8);
  });
});

describe('a campaign under way', () => {
  it('is executed by one process, and stops when another asks for it', async () => {
    const folder = temporaryFolder();
    const pitchDeg = Array.from({ length: 2000 }, (_, index) => index / 1000);
    const file = campaignFile(folder, { pitchDeg });
    const first = start(folder, 'campaign', 'run', file);
    await untilDone(first, folder, 2, 'pitch');
    expect(await runHere(folder, 'campaign', 'run', file)).toMatchObject({
      exitCode: 8,
      stderr:
        "understory: another process executes the campaign 'pitch': 'campaign status pitch' shows its progress\n",
    });
    expect(await statusOf(folder)).toMatchObject({ state: 'running', total: 2000 });
    await runHere(folder, 'campaign', 'stop', 'pitch');
    const { stderr } = await first.finished;
    expect(stderr).not.toContain('failed');
    const { done, pending, running, state } = await statusOf(folder);
    expect({ state, running, sum: done + pending }).toEqual({
      state: 'stopped',
      running: 0,
      sum: 2000,
    });
  });

  it('reports files that change meanwhile, loses nothing and runs what is new at the next start', async () => {
    const folder = temporaryFolder();
    const sensorFile = join(folder, 'own.yaml');
    const sensor = readFileSync(join(assetsFolder, 'sensors', 'lms-291.yaml'), 'utf8');
    writeFileSync(sensorFile, sensor);
    const pitchDeg = Array.from({ length: 30 }, (_, index) => index / 10);
    const file = campaignFile(folder, { pitchDeg });
    const text = readFileSync(file, 'utf8').replace('[lms-291]', '[own.yaml]');
    writeFileSync(file, text);
    const running = start(folder, 'campaign', 'run', file);
    await untilDone(running, folder, 2, 'pitch');
    writeFileSync(sensorFile, sensor.replace(/^name: .*/m, 'name: Another name'));
    writeFileSync(file, text.replace('2.9]', '2.9, 4]'));
    const { exitCode, stderr } = await running.finished;
    expect(exitCode).toBe(0);
    expect(stderr).toContain("own.yaml' changed while the campaign ran");
    expect(stderr).toContain("pitch.campaign.yaml' changed while the campaign ran");
    const before = rowsOf(folder);
    expect(before.filter(({ state }) => state === 'done')).toHaveLength(30);
    await runHere(folder, 'campaign', 'run', file);
    expect(rowsOf(folder)).toHaveLength(31);
    expect(await statusOf(folder)).toMatchObject({ done: 31, failed: 0 });
  });
});
