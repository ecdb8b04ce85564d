// The courtyard in which people and cars cross the way of the vehicle, as the command line drives it.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { understory } from './command.ts';

// Why so long: a busy machine leaves it a small share of the cores.
const patience = { timeout: 3_600_000 };

it(
  'the busy courtyard to the goal: arrives unharmed, sooner where trails are cleared',
  patience,
  async () => {
    const folder = temporaryFolder();
    const driven = async (clearing: boolean): Promise<Record<string, unknown>> => {
      const json = path.join(folder, `${clearing}.json`);
      const set = `navigation.costMap.clearing=${clearing}`;
      await understory(folder, [
        'drive',
        'courtyard-busy',
        '--quiet',
        '--json',
        json,
        '--set',
        set,
      ]);
      const [report] = JSON.parse(await readFile(json, 'utf8')) as Record<string, unknown>[];
      return report ?? {};
    };
    const [cleared, kept] = [await driven(true), await driven(false)];
    for (const report of [cleared, kept]) {
      expect(report).toMatchObject({ goalReached: true, collisions: 0, movingCollisions: 0 });
    }
    expect(Number(cleared['simSeconds'])).toBeLessThan(Number(kept['simSeconds']));
  },
);
