// Surfaces: what each kind sends back, lets through and turns aside, against closed forms of another derivation than
// the simulation's (PHYSICS.md, 1.2 and 4.11).
import { closedFormExperiment } from './closedFormExperiment.ts';
import type { Piece } from './parts.ts';
import { diffuse } from './surfaces/diffuse.ts';
import { gapFraction } from './surfaces/gapFraction.ts';
import { mirrorImage } from './surfaces/mirrorImage.ts';
import { retroReflector } from './surfaces/retroReflector.ts';
import { spectra } from './surfaces/spectra.ts';
import { transparent } from './surfaces/transparent.ts';

const pieces: readonly Piece[] = [
  diffuse,
  retroReflector,
  mirrorImage,
  gapFraction,
  transparent,
  spectra,
];

export const surfaces = closedFormExperiment({
  name: 'surfaces',
  title: 'Surfaces',
  paper: [
    'Each kind of surface follows its published law: Lambert 1760 (ρ·cos θ), Oren and Nayar 1994 (eq. 30), mirrors by total reflection (Gschwandtner 2011, section 3.5), retro-reflectors and gap fractions as PHYSICS.md 1.2 states them.',
    'The expected values are found by another route than the code takes: distances for angles, integrals over a sphere, mirrored scenes, products over sheets.',
  ],
  pieces,
  metrics: (surfaces) => ({ surfaces }),
});
