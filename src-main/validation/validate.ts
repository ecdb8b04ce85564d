// Carries the experiments out one after another and puts their sections together.
import type {
  Criterion,
  LearnedMetrics,
  Validation,
  ValidationMetrics,
} from '#contract/host/validation.ts';
import { badInput, throwIfCancelled } from '#contract/errors.ts';
import type { Progress } from '#contract/worker/worker.ts';
import { withBench, type BenchPorts } from './bench.ts';
import type { Experiment } from './experiment.ts';
import type { Section, SectionMetrics } from './section.ts';
import { openSteps } from './steps.ts';

export interface ValidationOrder {
  isQuick: boolean;
  /** Names of experiments; none: all. */
  only: readonly string[];
  /** The long form, of learned models; default: false. */
  isLong?: boolean;
  /** Absolute: results are stored here step by step, for the next attempt; null: nowhere. */
  stepsFolder?: string | null;
}

export interface Outcome {
  validation: Validation;
  sections: { experiment: Experiment; section: Section; seconds: number }[];
}

/** Seeds of the full form: fixed, so that the results are the same everywhere. */
const seeds = [1, 2, 3];
const quickSeeds = [1];

/** @throws UnderstoryError 'bad-input' for a name that no experiment has */
export async function validate(
  ports: BenchPorts,
  experiments: readonly Experiment[],
  { isQuick, only, isLong = false, stepsFolder = null }: ValidationOrder,
  { signal, progress }: { signal: AbortSignal; progress: (progress: Progress) => void },
): Promise<Outcome> {
  const chosen = choose(experiments, only).filter(({ isFullOnly }) => !isQuick || !isFullOnly);
  const startS = ports.clock.seconds();
  return withBench(ports, signal, async (bench) => {
    const steps = openSteps(ports.files, stepsFolder, bench.hello.learner);
    const sections: Outcome['sections'] = [];
    for (const experiment of chosen) {
      throwIfCancelled(signal);
      const fromS = ports.clock.seconds();
      const onProgress = (share: number): void =>
        progress({ phase: experiment.title, done: Math.round(share * 1000), total: 1000 });
      onProgress(0);
      const section = await experiment.run(bench, {
        isQuick,
        isLong,
        steps,
        seeds: isQuick ? quickSeeds : seeds,
        onProgress,
      });
      sections.push({ experiment, section, seconds: ports.clock.seconds() - fromS });
    }
    const criteria = sections.flatMap(({ experiment, section }) =>
      section.criteria.map((criterion) => ({ experiment: experiment.name, ...criterion })),
    );
    const validation: Validation = {
      ...joinedMetrics(sections.map(({ section }) => section.metrics)),
      criteria,
      experiments: chosen.map(({ name }) => name),
      isQuick,
      seeds: isQuick ? quickSeeds : seeds,
      version: ports.product.version,
      isa: bench.hello.isa,
      seconds: ports.clock.seconds() - startS,
      passed: criteria.length > 0 && criteria.every(({ pass }) => pass),
    };
    return { validation, sections };
  });
}

function choose(experiments: readonly Experiment[], only: readonly string[]): Experiment[] {
  const names = experiments.map(({ name }) => name);
  for (const name of only) {
    if (names.includes(name)) continue;
    const message = `expected one of ${names.join(', ')}, found '${name}'`;
    throw badInput('only', message, { title: `there is no experiment '${name}'` });
  }
  return experiments.filter(({ name }) => only.length === 0 || only.includes(name));
}

const noMetrics: ValidationMetrics = {
  grassStand: [],
  rods: [],
  shrub: null,
  slab: [],
  convergence: [],
  canopies: [],
  surfaces: [],
  receiver: [],
  motion: [],
  stands: [],
  weather: [],
  voxels: [],
  truth: [],
  estimators: [],
  invariants: [],
  mutants: [],
  learned: {
    closedForms: [],
    static: [],
    mobile: [],
    defaultRule: [],
    lines: [],
    voxel: [],
    otherSensor: [],
    orderings: [],
  },
};

/** Invariants and metrics of learned models may come from several experiments, everything else from one. */
function joinedMetrics(parts: readonly SectionMetrics[]): ValidationMetrics {
  const invariants: Criterion[] = parts.flatMap((part) => part.invariants ?? []);
  const learned: LearnedMetrics = { ...noMetrics.learned };
  for (const part of parts) Object.assign(learned, part.learned);
  return Object.assign({}, noMetrics, ...parts, { invariants, learned }) as ValidationMetrics;
}
