// Gschwandtner 2011 (BlenSor): gate, backfolding, total reflection, the pattern of a line LIDAR, the constant
// errors of lasers, and the twelve fields of ground truth.
import { backfold } from './blensor/backfold.ts';
import { gate } from './blensor/gate.ts';
import { laserBias } from './blensor/laserBias.ts';
import { mirrorPattern } from './blensor/mirrorPattern.ts';
import { totalReflection } from './blensor/totalReflection.ts';
import { twelveFields } from './blensor/twelveFields.ts';
import type { Experiment } from './experiment.ts';
import { joinParts, runPieces, type Piece } from './parts.ts';

const pieces: readonly Piece[] = [
  gate,
  backfold,
  totalReflection,
  mirrorPattern,
  laserBias,
  twelveFields,
];

export const blensor: Experiment = {
  name: 'blensor',
  title: 'BlenSor: gate, folds, mirrors, errors, ground truth',
  async run(bench, options) {
    const parts = await runPieces(pieces, bench, options);
    return {
      paper: [
        'Gschwandtner 2011, equation 1 and figure 2b: a HDL-64E S2 sees any surface that reflects up to 50 m; from there to 120 m the least reflectance grows from 10 % to 80 %.',
        'Equation 3 and figure 2a: a time-of-flight camera reports what lies beyond half of its greatest range as that much nearer.',
        'Section 3.5 and figure 2c: total reflection. The mirror itself returns nothing; what is seen in it is reported along the original direction at the length of the whole path, to a set depth.',
        'Section 3.3 and figure 3: emitters above each other on a rotating mirror; as it turns, the line of their beams tilts, until at 90° they lie side by side.',
        'Equation 2: each laser has a bias besides the noise of each ray; two of 64 lasers may differ by up to 12 cm on one plane.',
        'Section 4: ground truth of twelve fields: time, yaw, pitch, distance, noisy distance, clean point, noisy point, object.',
      ],
      ...joinParts(parts),
      metrics: {},
    };
  },
};
