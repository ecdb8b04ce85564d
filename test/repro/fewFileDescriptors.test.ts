// Without free file descriptors a command ended with a stack trace and exit code 1.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitCodeOfCode } from '#hosts/cli/exitCodes.ts';
import { mainFile } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

it.each([26, 28, 30])('with %i of them it ends with a sentence', (count) => {
  const folder = temporaryFolder();
  const scan = ['scan', 'box', '--sensor', 'vlp-16', '--pose', '0,0,2,0', '--seconds', '0.01'];
  const limited = `ulimit -n ${count}; exec "$0" "$@"`;
  const args = [mainFile, '--data', join(folder, 'data'), ...scan, '--out', join(folder, 'a.csv')];
  const { status, stderr } = spawnSync('bash', ['-c', limited, process.execPath, ...args], {
    encoding: 'utf8',
  });
  const ends = (['io', 'worker-lost', 'unsupported'] as const).map(exitCodeOfCode);
  expect(ends).toContain(status);
  expect(stderr).toMatch(/^understory: .+\n$/m);
  expect(stderr).not.toContain('    at ');
});
