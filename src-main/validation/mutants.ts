// Do the checks find errors? Workers with a mutation (contract/worker/mutations.ts) go through quick
// forms of the checks: each mutation must turn at least one red, and none may be red without one.
import type { MutantMetrics } from '#contract/host/validation.ts';
import { mutationNames, mutations } from '#contract/worker/mutations.ts';
import type { ValidationBench } from './bench.ts';
import { atLeast, equal } from './criteria.ts';
import type { Experiment } from './experiment.ts';
import type { Section } from './section.ts';
import { echoes } from './invariants/echoes.ts';
import { edges } from './invariants/edges.ts';
import { emptyPulses } from './invariants/emptyPulses.ts';
import { wallFalloff } from './invariants/falloff.ts';
import { moments } from './invariants/moments.ts';
import type { Piece } from './parts.ts';
import { rods } from './rods.ts';

const checks: readonly Piece[] = [
  moments,
  edges,
  echoes,
  wallFalloff,
  emptyPulses,
  {
    name: rods.name,
    run: (bench, { seeds }) => rods.run(bench, { isQuick: true, seeds, onProgress: () => {} }),
  },
];

export const mutants: Experiment = {
  name: 'mutants',
  title: 'Mutants: deliberate faults, and the checks that find them',
  async run(bench, { onProgress }) {
    const { withMutation } = bench;
    if (withMutation === null) return leftOut;
    const sound = await redChecks(bench);
    const found: MutantMetrics[] = [];
    for (const name of mutationNames) {
      onProgress((1 + found.length) / (1 + mutationNames.length));
      found.push({ name, caughtBy: await withMutation(name, redChecks) });
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

/** Names of the criteria that do not hold. */
async function redChecks(bench: ValidationBench): Promise<string[]> {
  const red: string[] = [];
  for (const check of checks) {
    const { criteria } = await check.run(bench, { isQuick: true, seeds: [1] });
    red.push(...criteria.filter(({ pass }) => !pass).map(({ name }) => name));
  }
  return red;
}

function sectionOf(sound: readonly string[], found: MutantMetrics[]): Section {
  return {
    paper: ['A check that cannot fail shows nothing.'],
    ours: [
      `${mutationNames.length} deliberate faults, each in a worker of a binary of its own, which no scan of a user runs; quick forms of ${checks.map(({ name }) => name).join(', ')} are carried out with each of them, and without any.`,
    ],
    charts: [],
    pictures: [],
    tables: [
      {
        title: 'Checks that turn red',
        columns: ['error', 'what it does', 'red', 'by'],
        rows: found.map(({ name, caughtBy }) => [
          name,
          mutations[name],
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
