// The set-up's own arguments: those of its levels; and the order of steps. The steps themselves run before every test.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runSteps } from '#hosts/cli/setup/steps.mjs';
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

it('repeats a step whose results another step removes', async () => {
  const ran: string[] = [];
  // As in a copied clone: the worker is built, the mutants beside it are not, and all was built for another folder.
  let isWorkerBuilt = true;
  const worker = {
    name: 'worker',
    isDone: () => isWorkerBuilt,
    run: () => void ran.push('worker'),
  };
  const mutants = {
    name: 'mutants',
    isDone: () => false,
    prepare: () => {
      isWorkerBuilt = false;
    },
    run: () => void ran.push('mutants'),
  };
  await runSteps([worker, mutants]);
  expect(ran).toEqual(['worker', 'mutants']);
});
