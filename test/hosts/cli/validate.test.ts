// `understory validate`: one experiment, its report, its metrics and the exit codes.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Validation } from '#contract/host/validation.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { runHere } from '#test/support/commandLine.ts';

it('carries out the experiments that are asked for, and writes report and metrics', async () => {
  const folder = temporaryFolder();
  const args = ['--quick', '--only', 'rods', '--json', 'out/v.json', '--out', 'out/v.html'];
  const { exitCode, stdout, stderr } = await runHere(folder, 'validate', ...args);
  expect(stderr).toContain('out/v.html');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('5 of 5 criteria hold');
  const validation = JSON.parse(readFileSync(join(folder, 'out/v.json'), 'utf8')) as Validation;
  expect(validation).toMatchObject({
    passed: true,
    isQuick: true,
    experiments: ['rods'],
    grassStand: [],
    shrub: null,
    slab: [],
    invariants: [],
    mutants: [],
  });
  expect(validation.rods[0]).toMatchObject({ backgroundM: 0.3, pulses: 201 });
  expect(readFileSync(join(folder, 'out/v.html'), 'utf8')).toContain('<svg');
});

it('refuses a name that no experiment has, and a file that cannot be written', async () => {
  const folder = temporaryFolder();
  const unknown = await runHere(folder, 'validate', '--only', 'rod');
  expect(unknown.exitCode).toBe(2);
  expect(unknown.stderr).toContain("found 'rod'");
  expect(existsSync(join(folder, 'validation.html'))).toBe(false);
  const unwritable = await runHere(folder, 'validate', '--out', '/proc/v.html', '--only', 'rods');
  expect(unwritable.exitCode).toBe(11);
});
