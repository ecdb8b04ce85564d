// The receiver: return modes, noise laws, steps, air, waveform and range limits, each against a closed form of another
// derivation than the simulation's (PHYSICS.md, 1.3, 1.8, 2.3 and 4.12).
import { closedFormExperiment } from './closedFormExperiment.ts';
import type { Piece } from './parts.ts';
import { airLaws } from './receiver/airLaws.ts';
import { detectionLimit } from './receiver/detectionLimit.ts';
import { directions } from './receiver/directions.ts';
import { dropOuts } from './receiver/dropOuts.ts';
import { dualReturns } from './receiver/dualReturns.ts';
import { echoShape } from './receiver/echoShape.ts';
import { falseAlarms } from './receiver/falseAlarms.ts';
import { grazingPlanes } from './receiver/grazingPlanes.ts';
import { intensityErrors } from './receiver/intensityErrors.ts';
import { minimumRange } from './receiver/minimumRange.ts';
import { mirrorSpot } from './receiver/mirrorSpot.ts';
import { panorama } from './receiver/panorama.ts';
import { rangeNoise } from './receiver/rangeNoise.ts';
import { returnModesPiece } from './receiver/returnModes.ts';
import { rollingScan } from './receiver/rollingScan.ts';
import { steps } from './receiver/steps.ts';
import { waveform } from './receiver/waveform.ts';

const pieces: readonly Piece[] = [
  returnModesPiece,
  dualReturns,
  grazingPlanes,
  detectionLimit,
  falseAlarms,
  echoShape,
  minimumRange,
  rangeNoise,
  directions,
  mirrorSpot,
  dropOuts,
  steps,
  intensityErrors,
  rollingScan,
  panorama,
  airLaws,
  waveform,
];

export const receiver = closedFormExperiment({
  name: 'receiver',
  title: 'Receiver',
  paper: [
    'Modes, averaging window and shares: Goodin 2018, section 3.2.3. Noise: σ² = σ0² + (σa·sin θ/cos² θ)² (Deschaud 2012) with terms by range and signal, a bias for each laser (Gschwandtner 2011, eq. 2), normal pointing errors, independent drop-outs. Detection limits, false alarms and errors of intensities: ours. Air: Kruse 1962, Kim 2001, Carbonneau and Wisely 1998. Waveform: Gaussian pulses; two maxima are two echoes where their sum halves between them, from a distance of 3.3 σ on.',
  ],
  pieces,
  metrics: (receiver) => ({ receiver }),
});
