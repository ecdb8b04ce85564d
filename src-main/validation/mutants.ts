// Do the checks find errors? Each mutation (contract/worker/mutations.ts) goes through the quick form of the check that
// guards what it breaks, and must turn at least one of its criteria red; none may be red without a mutation.
import type { MutantMetrics } from '#contract/host/validation.ts';
import {
  nativeMutations,
  mutationNames,
  mutations,
  type Mutation,
} from '#contract/worker/mutations.ts';
import type { ValidationBench } from './bench.ts';
import { checks } from './pieces.ts';
import { atLeast, equal } from './criteria.ts';
import type { Experiment } from './experiment.ts';
import type { Piece } from './parts.ts';
import { section, type Section } from './section.ts';

type CheckedMutation = Exclude<Mutation, (typeof nativeMutations)[number]>;

/** `check`: the name of the piece. */
type CheckedMutant = MutantMetrics & { name: CheckedMutation; check: string };

/** Every mutation but those of learned models, with the check that has to find it. @throws RangeError for none */
function checkedMutations(): { name: CheckedMutation; check: Piece }[] {
  const ofNative: readonly string[] = nativeMutations;
  return mutationNames
    .filter((name): name is CheckedMutation => !ofNative.includes(name))
    .map((name) => {
      const check = checks.find(({ catches }) => catches?.includes(name));
      if (check === undefined) throw new RangeError(`no piece catches the mutant '${name}'`);
      return { name, check };
    });
}

export const mutants: Experiment = {
  name: 'mutants',
  title: 'Mutants: deliberate faults, and the checks that find them',
  async run(bench, { onProgress }) {
    const { withMutation } = bench;
    if (withMutation === null) return leftOut;
    const sound: string[] = [];
    for (const check of checks) sound.push(...(await redOf(bench, check)));
    const found: CheckedMutant[] = [];
    const checked = checkedMutations();
    for (const { name, check } of checked) {
      onProgress((1 + found.length) / (1 + checked.length));
      const caughtBy = await withMutation(name, (mutant) => redOf(mutant, check));
      found.push({ name, path: mutations[name].path, caughtBy, check: check.name });
    }
    return mutantsSection(sound, found);
  },
};

const paper = ['A check that cannot fail shows nothing.'];

/** Where there is no worker with mutations: in a package, and in a clone that has not built it. */
const leftOut: Section = section({
  paper,
  ours: [
    'Left out: the workers with deliberate faults are built in a clone of the sources (`npm run validate`).',
  ],
  metrics: { mutants: [] },
});

/** Names of the criteria of a check that do not hold. */
async function redOf(bench: ValidationBench, check: Piece): Promise<string[]> {
  const { criteria } = await check.run(bench, { isQuick: true, seeds: [1] });
  return criteria.filter(({ pass }) => !pass).map(({ name }) => name);
}

function mutantsSection(sound: readonly string[], found: readonly CheckedMutant[]): Section {
  const fast = found.filter(({ path }) => path === 'fast');
  return section({
    paper,
    ours: [
      `${found.length} deliberate faults, ${fast.length} of them on the fast path of pulses, each in a worker of a binary of its own, which no scan of a user runs. Each goes through the quick form of the check that guards what it breaks; all these checks are also carried out without a fault.`,
    ],
    tables: [
      {
        title: 'Checks that turn red',
        columns: ['mutant', 'path', 'what it does', 'check', 'red', 'by'],
        rows: found.map(({ name, path, caughtBy, check }) => [
          name,
          path,
          mutations[name].does,
          check,
          String(caughtBy.length),
          caughtBy.join('; '),
        ]),
      },
    ],
    criteria: [
      equal('no error: red checks', sound.length, 0),
      ...found.map(({ name, caughtBy }) => atLeast(`${name}: red checks`, caughtBy.length, 1)),
    ],
    metrics: { mutants: found.map(({ check: _, ...metrics }) => metrics) },
  });
}
