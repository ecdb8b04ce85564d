// `understory scan --rays … --waveforms …`: the rays and waveforms behind the returns.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { SensorInput } from '#contract/documents/sensor.ts';
import { rayColumnNames } from '#contract/columns.ts';
import { exitCodeOfCode } from '#hosts/cli/exitCodes.ts';
import { readNpy } from '#test/recordings/readNpy.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { printedJson, runHere } from '#test/support/commandLine.ts';
import { circularBeam, sensor } from '#test/support/documents.ts';

/** One laser that turns, with a beam of 100 rays and a receiver that samples. */
const sampler = {
  id: 'sampler',
  scan: { kind: 'spinning', rateHz: 10, slotsPerRevolution: 360 },
  range: { minM: 1, maxM: 40 },
  beam: circularBeam(20, 100),
  returns: { mode: 'all', signalCutoffM: 0.5, waveform: { binNs: 1, pulseWidthNs: 4 } },
} satisfies Partial<SensorInput>;

function npzOf(file: string): Record<string, ReturnType<typeof readNpy>> {
  const members = Object.entries(unzipSync(readFileSync(file)));
  return Object.fromEntries(
    members.map(([name, bytes]) => [name.replace('.npy', ''), readNpy(bytes)]),
  );
}

async function scan(folder: string, ...more: string[]): Promise<Record<string, unknown>> {
  const file = join(folder, 'sampler.yaml');
  writeFileSync(file, sensor(sampler));
  const place = ['--pose', '0,0,1,0', '--seconds', '0.1'];
  const args = ['scan', 'box', '--sensor', file, ...place, '--out', 'returns.csv', ...more];
  return printedJson<Record<string, unknown>>(folder, ...args);
}

describe('beside the returns of a scan', () => {
  it('waveforms hold the energy of the rays, pulse by pulse', async () => {
    const folder = temporaryFolder();
    const files = ['--rays', 'rays.npz', '--waveforms', 'waveforms.npz'];
    const reply = await scan(folder, ...files, '--misses');
    const { pulse, bins, bin_m, first_range_m, time_ns } = npzOf(join(folder, 'waveforms.npz'));
    const [pulses, binsPerPulse] = bins?.shape ?? [];
    expect(pulses).toBe(360);
    for (const array of [pulse, first_range_m, time_ns]) expect(array?.shape).toEqual([360]);
    // 1 ns of light there and back.
    expect(bin_m?.values[0]).toBeCloseTo(0.299792458 / 2, 12);
    const rays = npzOf(join(folder, 'rays.npz'));
    expect(Object.keys(rays)).toEqual(rayColumnNames);
    expect(rays['ray']?.shape).toEqual([reply['rayRows']]);
    expect(reply['waveforms']).toBe(360);
    const energy = new Float64Array(360);
    const weights = new Float64Array(360);
    const value = (name: string, row: number): number => rays[name]?.values[row] ?? NaN;
    for (const row of rays['ray']?.values.keys() ?? []) {
      const of = value('pulse', row);
      weights[of] = (weights[of] ?? 0) + value('weight', row);
      if (value('hit_no', row) === 0) continue;
      energy[of] =
        (energy[of] ?? 0) + value('weight', row) * value('intensity', row) * value('share', row);
    }
    expect(energy.filter((sum) => sum > 0).length).toBeGreaterThan(100);
    for (const [of, expected] of energy.entries()) {
      expect(pulse?.values[of]).toBe(of);
      expect(weights[of]).toBeCloseTo(1, 6);
      const sampled = bins?.values.slice(of * (binsPerPulse ?? 0), (of + 1) * (binsPerPulse ?? 0));
      const sum = sampled?.reduce((all, bin) => all + bin, 0) ?? NaN;
      // Single precision of 100 rays and some ten bins each.
      expect(Math.abs(sum - expected)).toBeLessThanOrEqual(1e-5 * expected);
    }
  });

  it('rays as CSV have the names of the contract, classes by name, and empty cells for misses', async () => {
    const folder = temporaryFolder();
    const reply = await scan(folder, '--rays', 'rays.csv');
    const [head = '', ...lines] = readFileSync(join(folder, 'rays.csv'), 'utf8')
      .trimEnd()
      .split('\n');
    const names = head.split(',');
    expect(names).toEqual(rayColumnNames.map((name) => (name === 'class_id' ? 'class' : name)));
    expect(lines).toHaveLength(reply['rayRows'] as number);
    const cells = lines.map((line) => line.split(','));
    const of = (row: string[], name: string): string => row[names.indexOf(name)] ?? '';
    // Every ray of every pulse, although the returns have no misses.
    const rays = new Set(cells.map((row) => `${of(row, 'pulse')} ${of(row, 'ray')}`));
    expect(rays.size).toBe(360 * 100);
    const classes = new Set(cells.map((row) => of(row, 'class')));
    expect(classes).toEqual(new Set(['', 'wall', 'box', 'sphere']));
    for (const row of cells) {
      expect(of(row, 'class') === '').toBe(of(row, 'hit_no') === '0');
      expect(of(row, 'range_m') === '').toBe(of(row, 'hit_no') === '0');
    }
  });

  it.each([
    ['rays of another kind', ['--sensor', 'vlp-16', '--rays', 'rays.txt'], 'rays'],
    [
      'waveforms of another kind',
      ['--sensor', 'full-waveform', '--waveforms', 'w.csv'],
      'waveforms',
    ],
    ['waveforms of a sensor without', ['--sensor', 'vlp-16', '--waveforms', 'w.npz'], 'waveforms'],
  ])('refuses %s before anything is scanned', async (_, args, path) => {
    const folder = temporaryFolder();
    const place = ['--pose', '0,0,1,0', '--seconds', '0.1', '--out', 'returns.csv'];
    const { exitCode, stderr } = await runHere(folder, 'scan', 'box', ...place, ...args);
    expect(exitCode).toBe(exitCodeOfCode('bad-input'));
    expect(stderr).toContain(`  ${path}: `);
    expect(readdirSync(folder)).toEqual(['data']);
  });

  it('refuses waveforms of too many bins before anything is scanned', async () => {
    const folder = temporaryFolder();
    const waveform = { binNs: 0.05, pulseWidthNs: 4 };
    const returns = { ...sampler.returns, waveform };
    const text = sensor({ ...sampler, range: { minM: 1, maxM: 100_000 }, returns });
    writeFileSync(join(folder, 'fine.yaml'), text);
    const args = [
      '--sensor',
      join(folder, 'fine.yaml'),
      '--out',
      'returns.csv',
      '--waveforms',
      'w.npz',
    ];
    const place = ['--pose', '0,0,1,0', '--seconds', '0.001'];
    const { exitCode, stderr } = await runHere(folder, 'scan', 'box', ...place, ...args);
    expect(exitCode).toBe(exitCodeOfCode('bad-input'));
    // 99,999 m in bins of 0.15 · 0.05 m.
    expect(stderr).toMatch(
      / {2}waveforms: expected at most 8388608 bins .*, found 133\d{5} of sensor 'sampler'/,
    );
    expect(readdirSync(folder).sort()).toEqual(['data', 'fine.yaml']);
  });
});
