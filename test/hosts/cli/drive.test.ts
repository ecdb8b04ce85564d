// `understory drive` on the clearing: the report, the pictures, and every kind of stop.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import type { RunDetails } from '#contract/host/runMethods.ts';
import type { RunListItem } from '#contract/host/runQueries.ts';
import type { DriveReport } from '#hosts/cli/driveReport.ts';
import { exitCodeOfCode, exitCodes } from '#hosts/cli/exitCodes.ts';
import { openRecording } from '#recordings/recordingReader.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { printedJson, ran, runHere, start } from '#test/support/commandLine.ts';

describe('a short drive', () => {
  it('reports, draws, and can be shown, exported, verified and deleted', async () => {
    const folder = temporaryFolder();
    const args = ['drive', 'clearing', '--seconds', '2', '--seed', '3', '--out', 'pictures'];
    const { exitCode, stdout, stderr } = await runHere(folder, ...args, '--json', 'report.json');
    expect(stderr).toContain('m to goal');
    // The seconds were simulated: that is what was asked.
    expect(exitCode).toBe(exitCodes.ok);
    expect(stdout).toMatch(/^sensor +goal .*\n-+.*\nvlp-16 +not yet /);
    const reports = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as DriveReport[];
    expect(reports).toHaveLength(1);
    const [report] = reports;
    if (report === undefined) throw new Error('there is no report');
    expect(report).toMatchObject({
      sensor: 'vlp-16',
      seed: 3,
      state: 'finished',
      end: 'seconds',
      simSeconds: 2,
      // 16 lasers every 55.296 µs.
      pulses: 16 * Math.ceil(2 / 55.296e-6),
      goalReached: false,
      collisions: 0,
      collidedWith: [],
      trees: 6,
      grassBlades: 35_000,
    });
    expect(report.realTimeFactor).toBeCloseTo(2 / (report.wallSeconds ?? NaN), 9);
    expect(report.instancedTriangles).toBeGreaterThan(report.uniqueTriangles ?? Infinity);
    expect(report.points).toBeGreaterThan(0);
    expect(report.peakRssMB).toBeGreaterThan(50);
    for (const file of [report.costMapPng, report.finalCostMapPng, report.cloudPng]) {
      expect(file).toContain(join(folder, 'pictures'));
      const { width, height } = decode(readFileSync(file as string));
      expect(Math.min(width, height)).toBeGreaterThan(1000);
    }

    const { runId } = report;
    const shown = await printedJson<RunDetails>(
      folder,
      'runs',
      'show',
      runId.slice(0, 13),
      '--quiet',
    );
    expect(shown).toMatchObject({ id: runId, sensors: ['vlp-16'], ticks: 20, scans: 20 });
    expect(shown.metrics?.points).toBe(report.points);

    const seen = await printedJson<{ objectReturns: number }[]>(
      folder,
      ...['runs', 'scans', runId, '--instance', 'oak-a', '--min-returns', '50'],
      '--quiet',
    );
    expect(seen.length).toBeGreaterThan(0);
    expect(Math.min(...seen.map(({ objectReturns }) => objectReturns))).toBeGreaterThanOrEqual(50);

    const exported = await printedJson<{ points: number }>(
      folder,
      ...['runs', 'export', runId, '--format', 'ply', '--out', 'cloud.ply'],
      '--quiet',
    );
    expect(exported.points).toBe(report.points);
    expect(readFileSync(join(folder, 'cloud.ply')).subarray(0, 4).toString()).toBe('ply\n');
    const again = ['runs', 'export', runId, '--format', 'ply', '--columns', 'x_m,y_m,z_m'];
    const refused = await runHere(folder, ...again, '--out', 'cloud.ply');
    expect(refused.exitCode).toBe(exitCodeOfCode('bad-input'));
    expect(refused.stderr).toMatch(
      /there is '.*cloud\.ply' already \(\d.*UTC\): --force replaces it\n$/,
    );
    expect(readFileSync(join(folder, 'cloud.ply'), 'latin1')).toContain('intensity');
    const replaced = await runHere(folder, ...again, '--out', 'cloud.ply', '--force');
    expect(replaced.exitCode).toBe(exitCodes.ok);
    expect(readFileSync(join(folder, 'cloud.ply'), 'latin1')).not.toContain('intensity');

    const verified = await runHere(folder, 'runs', 'verify', runId, '--json');
    expect(verified.exitCode).toBe(exitCodes.ok);
    expect(JSON.parse(verified.stdout)).toMatchObject({ equal: true, compared: 20, differs: null });

    await runHere(folder, 'runs', 'delete', runId);
    expect(await printedJson<RunListItem[]>(folder, 'runs', 'list', '--quiet')).toEqual([]);
    expect(existsSync(join(folder, 'data', 'trash', runId, 'recording.mcap'))).toBe(true);
    expect(existsSync(shown.recordingFile)).toBe(false);
  });
});

describe('a drive that is stopped', () => {
  const simulated = /m to goal/;
  // The sensor with the most pulses: a drive that lasts well beyond its first line of progress.
  const long = ['drive', 'clearing', '--sensor', 'hdl-64e'];

  it('by SIGINT ends cleanly and is kept', async () => {
    const folder = temporaryFolder();
    const { child, finished, saw } = start(folder, ...long);
    await saw(simulated);
    child.kill('SIGINT');
    const { exitCode } = await finished;
    expect(exitCode).toBe(exitCodeOfCode('cancelled'));
    const [run] = await printedJson<RunListItem[]>(folder, 'runs', 'list', '--quiet');
    expect(run).toMatchObject({ state: 'cancelled', end: 'cancelled' });
    expect(await contentOf(folder, run)).toMatchObject({ isComplete: true });
  });

  it('by SIGKILL is found interrupted, and reads to its last whole chunk', async () => {
    const folder = temporaryFolder();
    const { child, finished, saw } = start(folder, ...long);
    await saw(simulated);
    child.kill('SIGKILL');
    await finished;
    // The run process notices that its host is gone, ends the tick under way and releases the lock.
    await expect
      .poll(
        async () => (await printedJson<RunListItem[]>(folder, 'runs', 'list', '--quiet'))[0]?.state,
        {
          interval: 500,
        },
      )
      .toBe('interrupted');
    const [run] = await printedJson<RunListItem[]>(folder, 'runs', 'list', '--quiet');
    const { isComplete, scans } = await contentOf(folder, run);
    expect(isComplete).toBe(true);
    expect(scans).toBeGreaterThan(0);
    await ran(folder, 'runs', 'verify', run?.id ?? '');
  });

  it('reports the death of its run process and keeps complete chunks', async () => {
    const folder = temporaryFolder();
    const { child, finished, saw } = start(folder, ...long);
    await saw(simulated);
    const [runProcess] = childrenOf(child.pid);
    if (runProcess === undefined) throw new Error('there is no run process');
    const killedAtMs = performance.now();
    process.kill(runProcess, 'SIGKILL');
    const { exitCode, stderr } = await finished;
    // Far below the minute that a run process has to end: nothing waits for one that is gone.
    expect(performance.now() - killedAtMs).toBeLessThan(40_000);
    expect(exitCode).toBe(exitCodeOfCode('run-lost'));
    expect(stderr).toMatch(/^understory: .*SIGKILL/m);
    const [run] = await printedJson<RunListItem[]>(folder, 'runs', 'list', '--quiet');
    expect(run?.state).toBe('interrupted');
    expect(await contentOf(folder, run)).toMatchObject({ isComplete: true });
  });

  async function contentOf(
    folder: string,
    run: RunListItem | undefined,
  ): Promise<{ isComplete: boolean; scans: number }> {
    const shown = await printedJson<RunDetails>(folder, 'runs', 'show', run?.id ?? '', '--quiet');
    const reader = await openRecording(shown.recordingFile);
    let scans = 0;
    for await (const scan of reader.scans()) scans += scan.rows > 0 ? 1 : 0;
    await reader.close();
    return { isComplete: reader.isComplete, scans };
  }
});

/** A process's children, as Linux lists them. */
function childrenOf(pid: number | undefined): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

describe('a rig', () => {
  it('drives with all the sensors of its scenario at once, and can be simulated again', async () => {
    const folder = temporaryFolder();
    const args = [
      'drive',
      'optics',
      '--seconds',
      '1',
      '--out',
      'pictures',
      '--json',
      'report.json',
    ];
    const stdout = await ran(folder, ...args);
    expect(stdout).toMatch(/\nvlp-16\+ibeo-lux +not yet /);
    const [report] = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as DriveReport[];
    expect(report?.cloudPng).toContain('vlp-16-ibeo-lux-cloud.png');
    const runId = report?.runId ?? '';
    const shown = await printedJson<RunDetails>(folder, 'runs', 'show', runId, '--quiet');
    expect(shown).toMatchObject({ sensors: ['vlp-16', 'ibeo-lux'], ticks: 10, scans: 20 });
    const out = ['--format', 'csv', '--out', 'rig.csv'];
    await ran(folder, 'runs', 'export', runId, ...out);
    const [head = '', ...rows] = readFileSync(join(folder, 'rig.csv'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(head).toMatch(/,sensor$/);
    const names = new Set(rows.map((row) => row.slice(row.lastIndexOf(',') + 1)));
    expect([...names].sort()).toEqual(['front', 'roof']);
    const verified = await runHere(folder, 'runs', 'verify', runId, '--json');
    expect(JSON.parse(verified.stdout)).toMatchObject({ equal: true, compared: 20, differs: null });
  });
});
