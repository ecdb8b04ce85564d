// .ci/run adds the counts of its commands, runs the second where the first fails, and its exit code says whether all
// passed. The commands are stand-ins for npm: what is tested is the script.
import { spawnSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '#test/stages.ts';
import { temporaryFolder } from '#test/support/folder.ts';

interface Ended {
  code: number | null;
  last: string;
}

async function ciRun(test: string, more: string): Promise<Ended> {
  const { code, lines } = await linesOfRun(test, more);
  return { code, last: lines.at(-1) ?? '' };
}

async function linesOfRun(
  test: string,
  more: string,
): Promise<{ code: number | null; lines: string[] }> {
  const folder = temporaryFolder();
  const npm = path.join(folder, 'npm');
  await writeFile(
    npm,
    `#!/bin/bash\ncase "$*" in test) ${test};; "run test:ci") ${more};; *) exit 9;; esac\n`,
  );
  await chmod(npm, 0o755);
  const PATH = `${folder}:${process.env['PATH'] ?? ''}`;
  const env = { ...process.env, PATH };
  const { status, stdout } = spawnSync(path.join(projectRoot, '.ci/run'), {
    env,
    encoding: 'utf8',
  });
  return { code: status, lines: stdout.trimEnd().split('\n') };
}

it('adds the last counts of both commands', async () => {
  const nested = "echo '3 passed, 0 failed'; echo; echo '40 passed, 0 failed'";
  const sum = await ciRun(nested, "echo '2 passed, 0 failed'");
  expect(sum).toEqual({ code: 0, last: '42 passed, 0 failed' });
});

it('runs the second command after a failure of the first', async () => {
  const sum = await ciRun("echo '39 passed, 1 failed'; exit 1", "echo '2 passed, 0 failed'");
  expect(sum).toEqual({ code: 1, last: '41 passed, 1 failed' });
});

it('counts a command that ends without counts as one failure', async () => {
  const sum = await ciRun("echo 'no compiler'; exit 3", "echo '2 passed, 3 failed'; exit 1");
  expect(sum).toEqual({ code: 1, last: '2 passed, 4 failed' });
});

it('counts a bad exit code after good counts as a failure', async () => {
  const sum = await ciRun("echo '40 passed, 0 failed'; exit 1", "echo '2 passed, 0 failed'");
  expect(sum).toEqual({ code: 1, last: '42 passed, 1 failed' });
});

it('ends with what failed, also where the second command prints much', async () => {
  const failure = "echo ' FAIL  test/a.test.ts > adds'; echo 'AssertionError: 2, not 1'";
  const native = "echo 'a.cpp:5: ERROR: CHECK( x ) is NOT correct!'; seq 400";
  const { lines } = await linesOfRun(`${failure}; exit 1`, `${native}; echo '1 passed, 1 failed'`);
  const end = lines.slice(lines.indexOf('1 passed, 1 failed') + 1);
  expect(end[0]).toBe(' FAIL  test/a.test.ts > adds');
  expect(end[1]).toBe('AssertionError: 2, not 1');
  expect(end).toContain('a.cpp:5: ERROR: CHECK( x ) is NOT correct!');
  expect(end.length).toBeLessThan(30);
  expect(end.at(-1)).toBe('1 passed, 2 failed');
});
