// The full courtyard to the goal with five seeds, as the command line does it: each arrives without a collision.
// (`npm test` drives one of them: courtyardGoal.test.ts.)
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { understory } from './command.ts';

const folder = temporaryFolder();
it.each([1, 2, 3, 4, 5])('arrives with seed %i', async (seed) => {
  const json = path.join(folder, `seed-${seed}.json`);
  await understory(folder, [
    'drive',
    'courtyard',
    '--quiet',
    '--seed',
    String(seed),
    '--json',
    json,
  ]);
  const [report] = JSON.parse(await readFile(json, 'utf8')) as Record<string, unknown>[];
  expect(report).toMatchObject({ goalReached: true, collisions: 0 });
});
