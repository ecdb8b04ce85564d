// The courtyard as the command line drives it, for every sensor of the paper, for two simulated seconds. (For ten:
// courtyardTenSeconds.long.test.ts; to the goal: courtyardGoal.test.ts.)
import { it } from 'vitest';
import { expectDrives } from './courtyardDrives.ts';

it('the courtyard for 2 simulated seconds drives with each of the four presets', () =>
  expectDrives(2));
