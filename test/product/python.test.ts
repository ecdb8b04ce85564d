// assets/python/understory.py and its examples with a real host: scans against closed forms, drives, runs, problems
// with their paths, Ctrl+C.
import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { runPython } from './pythonCommand.ts';

const folder = temporaryFolder();
async function expectRun(script: string, args: string[] = []): Promise<string> {
  const { code, stdout, stderr } = await runPython(folder, script, args);
  expect(code, `${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

describe('understory.py', () => {
  it('scans, drives and reads runs', async () => {
    await expectRun('test/product/python/check_understory.py');
  });
  it('serves drives as their planner', async () => {
    await expectRun('test/product/python/check_planner.py');
  });
});

describe('the examples', () => {
  it('scan', async () => {
    expect(await expectRun('assets/python/examples/scan.py')).toMatch(/box +\d+ returns/);
  });
  it('survey', async () => {
    await expectRun('assets/python/examples/survey.py', ['box', 'vlp-16', 'out.npz']);
    expect(await readdir(folder)).toContain('out.npz');
  });
  it('drive', async () => {
    const printed = await expectRun('assets/python/examples/drive.py', ['clearing', '1']);
    expect(printed).toMatch(
      /the drive has ended: seconds, .* collisions\nafter 1\.0 s at .*\nrun .* points of/,
    );
  });
});
