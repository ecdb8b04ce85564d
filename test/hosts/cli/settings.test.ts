// --set: fields of scenarios and sensors on the command line, checked like those of files and recorded with runs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunDetails } from '#contract/host/runMethods.ts';
import { exitCodeOfCode } from '#hosts/cli/exitCodes.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { ran, runHere } from '#test/support/commandLine.ts';

const scan = ['scan', 'box', '--sensor', 'vlp-16', '--pose', '0,0,1,0', '--seconds', '0.02'];

describe('--set', () => {
  it('changes the scene and the sensor of a scan', async () => {
    const folder = temporaryFolder();
    const rangesOf = async (...settings: string[]): Promise<number[]> => {
      const args = settings.flatMap((setting) => ['--set', setting]);
      const columns = ['--columns', 'range_m,range_clean_m', '--force', '--out', 'a.csv'];
      await ran(folder, ...scan, ...args, ...columns);
      const [, ...lines] = readFileSync(join(folder, 'a.csv'), 'utf8').trimEnd().split('\n');
      return lines.map((line) => {
        const [range = NaN, clean = NaN] = line.split(',').map(Number);
        return range - clean;
      });
    };
    const noisy = await rangesOf();
    expect(noisy.some((error) => error !== 0)).toBe(true);
    const quiet = await rangesOf('sensor.noise.rangeSigmaM=0', 'sensor.quantisation.rangeM=0');
    expect(quiet.length).toBeGreaterThan(1000);
    expect(quiet.every((error) => error === 0)).toBe(true);
    // Without the ground nothing below the box and the wall returns.
    const bare = await rangesOf('scene.ground=null', 'sensor.range.maxM=8');
    expect(bare.length).toBeLessThan(quiet.length / 4);
  });

  it.each([
    ['sensor.noise.rangeSigma=0', 'sensor.noise.rangeSigma: expected only known keys'],
    ['sensor.noise.rangeSigmaM=much', 'sensor.noise.rangeSigmaM: expected a number'],
    ['sensor.banks[1].name=low', 'sensor.banks: the list has 1 items, there is no item 1'],
    ['scene.atmosphere.visibilityKm=-1', 'scene.atmosphere.visibilityKm: expected'],
    ['scene.breeze=3', 'scene.breeze: expected only known keys'],
    ['scene.wind=3', 'scene.wind: expected a mapping, found 3'],
    ['scene.wind.speedMPerS=-1', 'scene.wind.speedMPerS: expected at least 0, found -1'],
    ['scene.wind.speedMPerS=41', 'scene.wind.speedMPerS: expected at most 40, found 41'],
    ['scene.wind.directionDeg=north', 'scene.wind.directionDeg: expected a number'],
    ['scene.wind.directionDeg=361', 'scene.wind.directionDeg: expected at most 360, found 361'],
    ['scene.wind.topM=0.1', 'scene.wind.speedMPerS: expected'],
    ['sensor[rear].range.maxM=3', 'sensor[rear]: expected the name of a sensor (lidar)'],
    ['seed', "set: expected path=value, found 'seed'"],
  ])('refuses %s with its path', async (setting, message) => {
    const { exitCode, stderr } = await runHere(
      temporaryFolder(),
      ...[...scan, '--set', setting, '--out', 'a.csv'],
    );
    expect(exitCode).toBe(exitCodeOfCode('bad-input'));
    expect(stderr).toContain(message);
  });

  it('is recorded with a drive, listed, and verified', async () => {
    const folder = temporaryFolder();
    const settings = ['sensor.range.maxM=30', 'scene.scatters[grass].count=20'];
    const args = ['drive', 'clearing', '--seconds', '0.5', '--quiet', '--json', 'report.json'];
    const sets = settings.flatMap((setting) => ['--set', setting]);
    await ran(folder, ...args, ...sets);
    const [report] = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as {
      runId: string;
      grassBlades: number;
    }[];
    expect(report?.grassBlades).toBe(20 * 100);
    const runId = report?.runId ?? '';
    const shown = JSON.parse(
      (await runHere(folder, 'runs', 'show', runId, '--json')).stdout,
    ) as RunDetails;
    expect(shown.settings).toEqual(settings);
    const lines = (await runHere(folder, 'runs', 'show', runId)).stdout;
    for (const setting of settings) expect(lines).toContain(setting);
    await ran(folder, 'runs', 'verify', runId);
  });

  it('shows a sensor with other fields', async () => {
    const args = ['sensor', 'show', 'vlp-16', '--json', '--set', 'sensor.scan.rateHz=20'];
    const { stdout } = await runHere(temporaryFolder(), ...args);
    const shown = JSON.parse(stdout) as { columnsPerTurn: number; detection: unknown };
    expect(shown.columnsPerTurn).toBeCloseTo(904.22, 2);
    expect(shown.detection).toMatchObject({ reflectance: 0.1, rangeM: 50, probability: 0.5 });
    const check = ['sensor', 'check', 'vlp-16', '--set', 'sensor.range.minM=200'];
    const { exitCode, stderr } = await runHere(temporaryFolder(), ...check);
    expect(exitCode).toBe(exitCodeOfCode('bad-input'));
    expect(stderr).toContain('range.minM: expected less than maxM (100)');
  });
});
