// The courtyard as the command line drives it, for every sensor of the paper. (To the goal: courtyardGoal.test.ts.)
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { understory } from './command.ts';

interface Report {
  sensor: string;
  instancedTriangles: number;
  grassBlades: number;
  trees: number;
  simSeconds: number;
  wallSeconds: number;
  realTimeFactor: number;
  points: number;
  pulses: number;
  goalReached: boolean;
  distanceToGoalM: number;
  collisions: number;
  peakRssMB: number;
  runId: string;
  costMapPng: string;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'understory-courtyard-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function drive(args: string[]): Promise<Report[]> {
  const json = path.join(folder, `report-${args.join('')}.json`.replaceAll(/[^\w.-]/g, ''));
  await understory(folder, ['drive', 'courtyard', '--quiet', '--json', json, ...args]);
  return JSON.parse(await readFile(json, 'utf8')) as Report[];
}

describe('the courtyard for 10 simulated seconds', () => {
  // Pulses in 10 s: rate × lasers, or 201 a scan at 37.5 Hz.
  const pulses = {
    'lms-291-goodin2018': 75_375,
    'vlp-16-goodin2018': 2_880_000,
    'hdl-32e-goodin2018': 7_200_000,
    'hdl-64e-goodin2018': 10_000_000,
  };

  it('drives with each of the four presets', async () => {
    const reports = await drive(['--sensor', 'paper', '--seconds', '10']);
    expect(reports.map(({ sensor }) => sensor).sort()).toEqual(Object.keys(pulses).sort());
    for (const report of reports) {
      expect(Math.abs(report.instancedTriangles - 191_245_324)).toBeLessThan(1_912_453);
      expect(report.trees).toBe(50);
      expect(report.grassBlades).toBe(1_990_000);
      expect(report.simSeconds).toBeCloseTo(10, 6);
      expect(report.pulses).toBe(pulses[report.sensor as keyof typeof pulses]);
      expect(report.points).toBeGreaterThan(0);
      expect(report.points).toBeLessThanOrEqual(report.pulses);
      expect(report.collisions).toBe(0);
      expect(report.realTimeFactor).toBeCloseTo(report.simSeconds / report.wallSeconds, 2);
      expect(report.distanceToGoalM).toBeLessThan(130);
      expect(path.isAbsolute(report.costMapPng)).toBe(true);
      expect((await stat(report.costMapPng)).size).toBeGreaterThan(2000);
    }
  });
});
