// The main job, as the command line does it: the full courtyard to the goal with the sensor as built.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { understory } from './command.ts';

// Why so long: a busy machine leaves it a small share of the cores.
it('the courtyard to the goal: arrives unharmed', { timeout: 3_600_000 }, async () => {
  const folder = temporaryFolder();
  const json = path.join(folder, 'report.json');
  await understory(folder, ['drive', 'courtyard', '--quiet', '--json', json, '--seed', '2']);
  const [report] = JSON.parse(await readFile(json, 'utf8')) as Record<string, unknown>[];
  expect(report).toMatchObject({ sensor: 'vlp-16', goalReached: true, collisions: 0 });
});
