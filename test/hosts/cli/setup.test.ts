// The set-up's own arguments: those of its levels. The steps themselves run before every test.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '#test/stages.ts';

const entry = path.join(projectRoot, 'src-main/hosts/cli/setup.mjs');

it.each([[['--for', 'nonsense']], [['--for', 'toString']], [['--for']]])(
  'set-up with %j lists the levels in one sentence',
  (args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args], {
      encoding: 'utf8',
    });
    expect(status).toBe(2);
    expect(stdout).toBe('');
    const level = args[1] ?? '';
    expect(stderr).toMatch(
      new RegExp(
        `^understory: there is no level '${level}': --for takes none, check, [a-z, ]+\\n$`,
      ),
    );
  },
);
