// `understory sensor`: what is shown of a sensor is what its file and the closed forms say.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import type { Replies } from '#contract/host/methods.ts';
import { exitCodeOfCode } from '#hosts/cli/exitCodes.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { ran, runHere } from '#test/support/commandLine.ts';

type Shown = Replies['sensor.show'] & {
  rays: { left: number; up: number; weight: number }[];
  lasers: { ring: number; elevation_rad: number }[];
};

describe('sensor show', () => {
  it('gives rays, lasers and rates as data', async () => {
    const args = ['sensor', 'show', 'vlp-16', '--range', '20', '--json'];
    const stdout = await ran(temporaryFolder(), ...args);
    const shown = JSON.parse(stdout) as Shown;
    // 16 lasers in 55.296 µs at 10 turns a second, nine rays.
    const pulsesPerSecond = 16e6 / 55.296;
    expect(shown.description.pulsesPerSecond).toBeCloseTo(pulsesPerSecond, 6);
    expect(shown.pulsesPerSecond).toBeCloseTo(pulsesPerSecond, 6);
    expect(shown.columnsPerTurn).toBeCloseTo(1e5 / 55.296, 6);
    expect(shown.raysPerSecond).toBeCloseTo(9 * pulsesPerSecond, 5);
    // The window of 12.7 mm, and 3 mrad at 20 m.
    expect(shown.description.spotM.width).toBeCloseTo(0.0127 + 40 * Math.tan(0.0015), 12);
    expect(shown.rays).toHaveLength(9);
    expect(shown.rays.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 14);
    const corner = Math.max(...shown.rays.map(({ left }) => left));
    expect(corner).toBeCloseTo(Math.tan(0.0015) / Math.SQRT2, 14);
    expect(shown.lasers.map(({ ring }) => ring)).toEqual(Array.from({ length: 16 }, (_, i) => i));
    for (const { ring, elevation_rad: elevation } of shown.lasers) {
      expect((elevation * 180) / Math.PI).toBeCloseTo(-15 + 2 * ring, 10);
    }
  });

  it.each(['hdl-64e-s2', 'ibeo-lux', 'tof-camera', 'lms-291'])('draws %s', async (id) => {
    const folder = temporaryFolder();
    const stdout = await ran(folder, 'sensor', 'show', id, '--out', 's.png');
    expect(stdout).toContain(`(${id})`);
    const { width, height } = decode(readFileSync(join(folder, 's.png')));
    expect([width, height]).toEqual([2080, 1520]);
  });

  it.each([
    ['a rate that it cannot be set to', ['vlp-16', '--rate-hz', '50'], 'rateHz'],
    ['an unknown mode', ['vlp-16', '--mode', 'farthest'], 'mode'],
    ['a range of nothing', ['vlp-16', '--range', '0'], 'rangeM'],
    ['an unknown sensor', ['vlp-17'], 'sensor'],
  ])('refuses %s', async (_, args, path) => {
    const { exitCode, stderr } = await runHere(temporaryFolder(), 'sensor', 'show', ...args);
    expect(exitCode).toBe(exitCodeOfCode('bad-input'));
    expect(stderr).toContain(`  ${path}: `);
  });
});

describe('sensor check', () => {
  it('finds nothing wrong with the samples', async () => {
    const { stdout } = await runHere(temporaryFolder(), 'sensor', 'list', '--json');
    const ids = (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id);
    expect(ids).toContain('line-lidar');
    await ran(temporaryFolder(), 'sensor', 'check', 'line-lidar');
  });

  it("reports every problem at its path in the sensor's file", async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'mine.yaml');
    writeFileSync(file, 'understorySensor: 3\nid: mine\nname: Mine\nsource: me\nwavelengthNm: 5\n');
    const { exitCode, stdout } = await runHere(folder, 'sensor', 'check', file, '--json');
    expect(exitCode).toBe(exitCodeOfCode('bad-input'));
    const paths = (JSON.parse(stdout) as { path: string }[]).map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['wavelengthNm', 'scan', 'beam', 'returns']));
  });
});
