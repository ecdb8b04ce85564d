// Invariants: what must hold of beam, echoes, power, air, noise and bytes whatever the scene (PHYSICS.md,
// sections 1 and 4.1). Each has a value, an expectation and a tolerance derived where it is checked.
import type { Experiment } from './experiment.ts';
import { air } from './invariants/air.ts';
import { closedForms } from './invariants/closedForms.ts';
import { echoes } from './invariants/echoes.ts';
import { edges } from './invariants/edges.ts';
import { emptyPulses } from './invariants/emptyPulses.ts';
import { expectedValues } from './invariants/expectedValues.ts';
import { falloff } from './invariants/falloff.ts';
import { identity } from './invariants/identity.ts';
import { moments } from './invariants/moments.ts';
import { joinParts, runPieces, type Piece } from './parts.ts';

const pieces: readonly Piece[] = [
  moments,
  closedForms,
  expectedValues,
  edges,
  echoes,
  falloff,
  air,
  emptyPulses,
  identity,
];

export const invariants: Experiment = {
  name: 'invariants',
  title: 'Invariants',
  async run(bench, options) {
    const section = joinParts(await runPieces(pieces, bench, options));
    return {
      paper: [
        'Σw = 1, the centroid of a beam on its axis, its second moment as stated (PHYSICS.md, 1.1). A target that fills the spot falls as R⁻², a wire across it as R⁻³, a patch smaller than it as R⁻⁴. A miss of the centre ray drops nothing; echoes within the range resolution merge, beyond it they do not; nothing returns where nothing was hit; one seed gives the same bytes on any number of threads.',
        'Box, wall, sphere: range, intensity and share of the beam in closed form, ray by ray, to 1e-4.',
      ],
      ...section,
      metrics: { invariants: section.criteria },
    };
  },
};
