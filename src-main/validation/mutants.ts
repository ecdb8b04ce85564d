// Do the checks find errors? Each mutation (contract/worker/mutations.ts) goes through the quick form of the check that
// guards what it breaks, and must turn at least one of its criteria red; none may be red without a mutation.
import type { MutantMetrics } from '#contract/host/validation.ts';
import {
  type learnedMutations,
  mutationNames,
  mutations,
  type Mutation,
} from '#contract/worker/mutations.ts';
import type { ValidationBench } from './bench.ts';
import { gate } from './blensor/gate.ts';
import { totalReflection } from './blensor/totalReflection.ts';
import { atLeast, equal } from './criteria.ts';
import type { Experiment } from './experiment.ts';
import type { Section } from './section.ts';
import { echoes } from './invariants/echoes.ts';
import { edges } from './invariants/edges.ts';
import { emptyPulses } from './invariants/emptyPulses.ts';
import { wallFalloff } from './invariants/falloff.ts';
import { moments } from './invariants/moments.ts';
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
import { rangeNoise } from './receiver/rangeNoise.ts';
import { returnModesPiece } from './receiver/returnModes.ts';
import { rollingScan } from './receiver/rollingScan.ts';
import { steps } from './receiver/steps.ts';
import { waveform } from './receiver/waveform.ts';
import { diffuse } from './surfaces/diffuse.ts';
import { gapFraction } from './surfaces/gapFraction.ts';
import { retroReflector } from './surfaces/retroReflector.ts';

type CheckedMutation = Exclude<Mutation, (typeof learnedMutations)[number]>;

/** The check that has to find it. */
const checkOf: Record<CheckedMutation, Piece> = {
  'stencil-off-centre': moments,
  'stencil-too-narrow': returnModesPiece,
  'strongest-is-closest': echoes,
  'tie-to-the-farther': returnModesPiece,
  'cutoff-ignored': returnModesPiece,
  'mean-over-all-rays': returnModesPiece,
  'centre-miss-drops-pulse': edges,
  'share-off-by-a-ray': minimumRange,
  'cosine-squared': diffuse,
  'pose-of-first-slot': rollingScan,
  'azimuth-mirrored': rollingScan,
  'limit-without-noise': detectionLimit,
  'middle-for-centroid': echoShape,
  'bias-of-each-ray': emptyPulses,
  'noise-on-empty-pulses': emptyPulses,
  'variance-for-sigma': rangeNoise,
  'incidence-without-square': rangeNoise,
  'range-step-down': steps,
  'drop-out-of-pulses': dropOuts,
  'pointing-along-a-diagonal': directions,
  'encoder-to-nearest': directions,
  'encoder-after-offsets': directions,
  'spot-unturned': mirrorSpot,
  'fourth-power': wallFalloff,
  'extinction-one-way': airLaws,
  'gate-inverted': gate,
  'half-a-bin': waveform,
  'limit-of-each-ray': detectionLimit,
  'one-draw-for-all-echoes': detectionLimit,
  'echoes-in-slices': grazingPlanes,
  'last-alone-twice': dualReturns,
  'alarms-by-area': falseAlarms,
  'width-without-pulse': echoShape,
  'saturation-before-noise': intensityErrors,
  'gap-twice': gapFraction,
  'oren-nayar-sine': diffuse,
  'lobe-to-one-over-e': retroReflector,
  'one-mirror-more': totalReflection,
};

type CheckedMutant = MutantMetrics & { name: CheckedMutation };

const checked = mutationNames.filter((name): name is CheckedMutation => name in checkOf);

export const mutants: Experiment = {
  name: 'mutants',
  title: 'Mutants: deliberate faults, and the checks that find them',
  async run(bench, { onProgress }) {
    const { withMutation } = bench;
    if (withMutation === null) return leftOut;
    const sound: string[] = [];
    for (const check of new Set(Object.values(checkOf))) sound.push(...(await redOf(bench, check)));
    const found: CheckedMutant[] = [];
    for (const name of checked) {
      onProgress((1 + found.length) / (1 + checked.length));
      const caughtBy = await withMutation(name, (mutant) => redOf(mutant, checkOf[name]));
      found.push({ name, path: mutations[name].path, caughtBy });
    }
    return sectionOf(sound, found);
  },
};

/** Where there is no worker with mutations: in a package, and in a clone that has not built it. */
const leftOut: Section = {
  paper: ['A check that cannot fail shows nothing.'],
  ours: [
    'Left out: the workers with deliberate faults are built in a clone of the sources (`npm run validate`).',
  ],
  charts: [],
  pictures: [],
  tables: [],
  criteria: [],
  metrics: { mutants: [] },
};

/** Names of the criteria of a check that do not hold. */
async function redOf(bench: ValidationBench, check: Piece): Promise<string[]> {
  const { criteria } = await check.run(bench, { isQuick: true, seeds: [1] });
  return criteria.filter(({ pass }) => !pass).map(({ name }) => name);
}

function sectionOf(sound: readonly string[], found: CheckedMutant[]): Section {
  const isFast = ({ path }: MutantMetrics): boolean => path === 'fast';
  return {
    paper: ['A check that cannot fail shows nothing.'],
    ours: [
      `${found.length} deliberate faults, ${found.filter(isFast).length} of them on the fast path of pulses, each in a worker of a binary of its own, which no scan of a user runs. Each goes through the quick form of the check that guards what it breaks; all these checks are also carried out without a fault.`,
    ],
    charts: [],
    pictures: [],
    tables: [
      {
        title: 'Checks that turn red',
        columns: ['mutant', 'path', 'what it does', 'check', 'red', 'by'],
        rows: found.map(({ name, path, caughtBy }) => [
          name,
          path,
          mutations[name].does,
          checkOf[name].name,
          String(caughtBy.length),
          caughtBy.join('; '),
        ]),
      },
    ],
    criteria: [
      equal('no error: red checks', sound.length, 0),
      ...found.map(({ name, caughtBy }) => atLeast(`${name}: red checks`, caughtBy.length, 1)),
    ],
    metrics: { mutants: found },
  };
}
