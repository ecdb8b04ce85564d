// The experiments, in the order of the report. A new one is a file and a line here.
import type { Experiment } from './experiment.ts';
import { canopies } from './canopies.ts';
import { convergence } from './grass/convergence.ts';
import {
  blensor,
  invariants,
  learnedClosedForms,
  motion,
  receiver,
  stands,
  surfaces,
  voxels,
  truth,
  weather,
} from './pieces.ts';
import { courtyard } from './courtyard/courtyard.ts';
import { estimators } from './estimators.ts';
import { courtyardWeather } from './weather/courtyardWeather.ts';
import { grassStand } from './grass/grassStand.ts';
import { learnedConvergence } from './learned/convergence.ts';
import { learnedDefaultRule } from './learned/defaultRule.ts';
import { learnedMobile } from './learned/mobile.ts';
import { learnedOtherSensor } from './learned/otherSensor.ts';
import { learnedStatic } from './learned/staticTargets.ts';
import { learnedVoxelSizes } from './learned/voxelSizes.ts';
import { learnedLarge } from './learned/large.ts';
import { mutants } from './mutants.ts';
import { rods } from './rods.ts';
import { shrub } from './shrub/shrub.ts';
import { slab } from './slab.ts';

export const experiments: readonly Experiment[] = [
  grassStand,
  rods,
  shrub,
  slab,
  canopies,
  estimators,
  convergence,
  surfaces,
  receiver,
  motion,
  stands,
  weather,
  voxels,
  truth,
  blensor,
  invariants,
  courtyard,
  courtyardWeather,
  learnedClosedForms,
  learnedStatic,
  learnedMobile,
  mutants,
];

/** Those of `--learned`, in their long form. */
export const learnedExperiments: readonly Experiment[] = [
  learnedClosedForms,
  learnedConvergence,
  learnedStatic,
  learnedMobile,
  learnedDefaultRule,
  learnedVoxelSizes,
  learnedOtherSensor,
  learnedLarge,
];
