// The README's drives of ten simulated seconds, one for each sensor of the paper. (`npm test` drives two seconds:
// courtyard.test.ts.)
import { it } from 'vitest';
import { expectDrives } from './courtyardDrives.ts';

it('the courtyard for 10 simulated seconds drives with each of the four presets', () =>
  expectDrives(10));
