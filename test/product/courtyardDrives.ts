// Short drives through the full courtyard by the command line, one for each sensor of the paper.
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
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

/** Rate × lasers, or 201 a scan at 37.5 Hz. */
const pulsesPerSecond = {
  'lms-291-goodin2018': 7_537.5,
  'vlp-16-goodin2018': 288_000,
  'hdl-32e-goodin2018': 720_000,
  'hdl-64e-goodin2018': 1_000_000,
};

/** Drives so many simulated seconds with each; fails unless scene, pulses and report are as they must be. */
export async function expectDrives(seconds: number): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'understory-courtyard-'));
  const json = path.join(folder, 'report.json');
  const args = ['--sensor', 'paper', '--seconds', String(seconds), '--quiet', '--json', json];
  await understory(folder, ['drive', 'courtyard', ...args]);
  const reports = JSON.parse(await readFile(json, 'utf8')) as Report[];
  expect(reports.map(({ sensor }) => sensor).sort()).toEqual(Object.keys(pulsesPerSecond).sort());
  for (const report of reports) {
    expect(Math.abs(report.instancedTriangles - 191_245_324)).toBeLessThan(1_912_453);
    expect(report.trees).toBe(50);
    expect(report.grassBlades).toBe(1_990_000);
    expect(report.simSeconds).toBeCloseTo(seconds, 6);
    expect(report.pulses).toBe(
      seconds * pulsesPerSecond[report.sensor as keyof typeof pulsesPerSecond],
    );
    expect(report.points).toBeGreaterThan(0);
    expect(report.points).toBeLessThanOrEqual(report.pulses);
    expect(report.collisions).toBe(0);
    expect(report.realTimeFactor).toBeCloseTo(report.simSeconds / report.wallSeconds, 2);
    expect(report.distanceToGoalM).toBeLessThan(130);
    expect(path.isAbsolute(report.costMapPng)).toBe(true);
    expect((await stat(report.costMapPng)).size).toBeGreaterThan(2000);
  }
  await rm(folder, { recursive: true, force: true });
}
