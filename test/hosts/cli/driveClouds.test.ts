// `drive` with and without ground truth: the same drive, and what the other commands do with its recording.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { openRecording } from '#recordings/recordingReader.ts';
import { coordinateStepM } from '#recordings/ros/driverFields.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { driveHere, ran, runHere, type Finished } from '#test/support/commandLine.ts';

const scenario = fileURLToPath(new URL('../../interop/yard.understory.yaml', import.meta.url));
/** A turn mixes the three coordinates of a point, each off by at most half a step. */
const stepping = (Math.sqrt(3) * coordinateStepM) / 2;
const folder = temporaryFolder();
let whole: string;
let bare: string;

function drive(...options: string[]): Promise<string> {
  return driveHere(folder, scenario, '--seconds', '0.5', '--out', folder, ...options);
}

beforeAll(async () => {
  whole = await drive();
  bare = await drive('--no-truth', '--organised');
});

const fileOf = (run: string): string => join(folder, 'data/runs', run, 'recording.mcap');

async function exported(run: string, file: string, ...options: string[]): Promise<Finished> {
  const format = options.includes('--format') ? [] : ['--format', file.split('.')[1] ?? ''];
  return runHere(folder, 'runs', 'export', run, '--out', join(folder, file), ...format, ...options);
}

/** The places in a CSV file, in the order of time: the lasers fire one after another. */
function placesIn(file: string): number[][] {
  const [head = '', ...lines] = readFileSync(join(folder, file), 'utf8').trim().split('\n');
  const columns = ['time_ns', 'x_m', 'y_m', 'z_m'].map((name) => head.split(',').indexOf(name));
  const rows = lines.map((line) => columns.map((column) => Number(line.split(',')[column])));
  return rows.sort(([a = 0], [b = 0]) => a - b).map(([, ...place]) => place);
}

describe('a drive without ground truth', () => {
  it('has the clouds of the sensors alone, and the scans of the other', async () => {
    const [one, other] = await Promise.all([
      openRecording(fileOf(whole)),
      openRecording(fileOf(bare)),
    ]);
    const topics = (reader: typeof one): string[] =>
      reader.channels.map(({ topic }) => topic).filter((topic) => topic.startsWith('/roof'));
    expect(topics(one)).toEqual(['/roof/points', '/roof/points_truth']);
    expect(topics(other)).toEqual(['/roof/points']);
    const hashes = async (reader: typeof one): Promise<string[]> =>
      (await Array.fromAsync(reader.clouds())).map(({ scan }) => scan.hash);
    expect(await hashes(other)).toEqual(await hashes(one));
    await Promise.all([one.close(), other.close()]);
  });

  it('states its settings', async () => {
    const { stdout } = await runHere(folder, 'runs', 'show', bare);
    expect(stdout).toContain('recording.truth=false');
    expect(stdout).toContain('recording.organised=true');
  });

  it('exports the points that the other has', async () => {
    const { exitCode, stderr } = await exported(bare, 'bare.csv');
    expect(exitCode, stderr).toBe(0);
    await exported(whole, 'whole.csv');
    const [found, expected] = [placesIn('bare.csv'), placesIn('whole.csv')];
    expect(found).toHaveLength(expected.length);
    expect(found.length).toBeGreaterThan(1000);
    // Two floats of at most 40 m each, whose times are rounded too; and steps of the driver's coordinates.
    for (const [row, place] of expected.entries()) {
      const off = place.map((m, axis) => Math.abs(m - (found[row]?.[axis] ?? NaN)));
      if (!(Math.max(...off) < 4 * 40 * 2 ** -24 + stepping))
        expect.fail(`point ${row} is off by ${off.join()}`);
    }
    const head = readFileSync(join(folder, 'bare.csv'), 'utf8').split('\n')[0];
    expect(head).not.toContain('object_id');
    for (const file of ['bare.las', 'bare.ply', 'bare.npz']) {
      expect((await exported(bare, file)).exitCode, file).toBe(0);
    }
  });

  it('says that it has no ground truth where that is asked for', async () => {
    const columns = await exported(bare, 'truth.csv', '--columns', 'time_ns,object_id,class_id');
    expect(columns.exitCode).not.toBe(0);
    expect(columns.stderr).toContain(
      'the run was recorded without ground truth, which object_id, class_id would come from',
    );
    const kitti = await exported(bare, 'kitti', '--format', 'semantickitti');
    expect(kitti.exitCode).not.toBe(0);
    expect(kitti.stderr).toContain(
      'the run was recorded without ground truth, which the labels of semantickitti need',
    );
  });

  it('is verified by its clouds, as the other is', async () => {
    for (const run of [whole, bare]) {
      const stdout = await ran(folder, 'runs', 'verify', run, '--json');
      expect(JSON.parse(stdout)).toMatchObject({ equal: true, compared: 5, differs: null });
    }
  });
});
