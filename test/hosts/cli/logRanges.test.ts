// `log ranges`: what becomes of beams that pass a place, in a log and in a model of it.
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { exitCodeOfCode } from '#hosts/cli/exitCodes.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { ran, runHere, type Finished } from '#test/support/commandLine.ts';
import { placed, scenario } from '#test/support/documents.ts';

const folder = temporaryFolder({
  'wall.yaml': scenario({
    models: { wall: { kind: 'box', sizeM: [1, 40, 20], material: 'grey' } },
    instances: [placed('wall', [10.5, 0, 0])],
  }),
});

interface Printed {
  beams: number;
  curves: { name: string; shares: number[]; before: number; within: number; behind: number }[];
}

const ranges = (at: string, ...more: string[]): Promise<Finished> =>
  runHere(folder, 'log', 'ranges', 'wall.log', '--at', at, '--radius', '0.5', ...more);

beforeAll(async () => {
  const sensor = ['--sensor', 'vlp-16', '--set', 'sensor.noise.rangeSigmaM=0'];
  const pose = ['--pose', '0,0,0,0', '--seconds', '0.1', '--misses', '--out', 'wall.log'];
  await ran(folder, 'scan', join(folder, 'wall.yaml'), ...sensor, ...pose);
  const learn = ['learn', 'wall.log', '--model', 'nearest-neighbors', '--out', 'wall.ply'];
  await ran(folder, ...learn);
});

describe('log ranges', () => {
  it('counts beams that end at a wall, and beams that pass a place before it', async () => {
    const printed = async (at: string): Promise<Printed> =>
      JSON.parse(
        (await ranges(at, '--json', '--window', '0.25', '--bins', '10')).stdout,
      ) as Printed;
    const [here, before] = [await printed('10,0,0'), await printed('5,-0.1,0')];
    expect(here.beams).toBeGreaterThan(10);
    expect(here.curves).toEqual([
      expect.objectContaining({ name: 'wall.log', before: 0, within: 1, behind: 0 }),
    ]);
    expect(here.curves[0]?.shares).toHaveLength(10);
    expect(before.curves[0]).toMatchObject({ within: 0, behind: 1 });
  });

  it('prints a table with a row for each model', async () => {
    const { stdout, exitCode } = await ranges('10,0,0', '--', 'wall.ply');
    expect(exitCode).toBe(0);
    const [head = '', ...rows] = stdout.split('\n').slice(1);
    expect(head).toMatch(/before +here +behind +misses +Bhattacharyya$/);
    expect(rows[1]).toMatch(/^wall\.log +0\.0 % +100\.0 % +0\.0 % +0\.0 %$/);
    expect(rows[2]).toMatch(/^wall\.ply( +[\d.]+ %){4} +([\d.]+|∞)$/);
  });

  it('states that no beam passes a place, and refuses an invalid place', async () => {
    expect((await ranges('0,0,9')).stdout).toContain('no beam passes here');
    const refused = await ranges('5,0');
    expect(refused.stderr).toContain('expected "x,y,z" in metres, found "5,0"');
    expect(refused.exitCode).toBe(exitCodeOfCode('bad-input'));
  });
});
