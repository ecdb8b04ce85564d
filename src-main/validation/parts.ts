// Pieces of a section, where an experiment is made of several: each finds something, and all are joined.
import type { Criterion } from '#contract/host/validation.ts';
import type { Mutation } from '#contract/worker/mutations.ts';
import type { ValidationBench } from './bench.ts';
import { criterionOf, formsTable, type ClosedForm, type Measurement } from './closedForm.ts';
import type { Experiment } from './experiment.ts';
import { manyPulses, openLaboratory, type LaboratoryOptions } from './laboratory.ts';
import { section, type Section, type SectionMetrics } from './section.ts';

/** The report of one piece. */
export interface Part extends Partial<Pick<Section, 'ours' | 'charts' | 'pictures' | 'tables'>> {
  criteria: Criterion[];
  /** Those of the criteria that compare a value with a closed form, with their sources. */
  forms?: ClosedForm[];
}

/** A piece of an experiment by its name: experiments carry them out in order, mutants only some. */
export interface Piece {
  name: string;
  /** Mutants that must turn at least one of its criteria red, in the quick form. */
  catches?: readonly Mutation[];
  run: (bench: ValidationBench, options: LaboratoryOptions) => Promise<Part>;
}

/** A piece of closed forms alone. */
export function formsPiece({
  ours,
  rows,
  ...piece
}: Pick<Piece, 'name' | 'catches'> & {
  /** For the report; `pulses`: of each seed, where a row fires `many`. */
  ours: string | ((pulses: number) => string);
  rows: readonly Measurement[] | ((options: LaboratoryOptions) => readonly Measurement[]);
}): Piece {
  return {
    ...piece,
    run: async (bench, options) => {
      const laboratory = openLaboratory(bench, options);
      const forms: ClosedForm[] = [];
      for (const measure of typeof rows === 'function' ? rows(options) : rows) {
        forms.push(...(await measure(laboratory)));
      }
      const text = typeof ours === 'function' ? ours(manyPulses(options)) : ours;
      return formsPart(text, forms);
    },
  };
}

/** A part of an experiment that shows closed forms. */
export function formsPart(
  ours: string,
  forms: ClosedForm[],
): Required<Pick<Part, 'ours' | 'forms' | 'criteria'>> {
  return { ours: [ours], forms, criteria: forms.map(criterionOf) };
}

/** An experiment of pieces in order; progress is their count. `paper`: sources, as the report states them. */
export function piecesExperiment({
  pieces,
  paper,
  metrics,
  ...experiment
}: Pick<Experiment, 'name' | 'title'> & {
  paper: string[];
  pieces: readonly Piece[];
  /** Its part of validate.json. */
  metrics: (forms: ClosedForm[], criteria: Criterion[]) => SectionMetrics;
}): Experiment {
  return {
    ...experiment,
    async run(bench, { isQuick, seeds, onProgress }) {
      const parts: Part[] = [];
      for (const piece of pieces) {
        parts.push(await piece.run(bench, { isQuick, seeds }));
        onProgress(parts.length / pieces.length);
      }
      const forms = parts.flatMap((part) => part.forms ?? []);
      const criteria = parts.flatMap((part) => part.criteria);
      const table = formsTable(`${experiment.title} against closed forms`, forms);
      return section({
        paper,
        ours: parts.flatMap(({ ours = [] }) => ours),
        charts: parts.flatMap(({ charts = [] }) => charts),
        pictures: parts.flatMap(({ pictures = [] }) => pictures),
        tables: [
          ...(forms.length > 0 ? [table] : []),
          ...parts.flatMap(({ tables = [] }) => tables),
        ],
        criteria,
        metrics: metrics(forms, criteria),
      });
    },
  };
}

/** Among results of the same criterion with several seeds, the one farthest from its expectation. */
export function worstOf(criteria: readonly Criterion[]): Criterion {
  const distance = ({ value, expected }: Criterion): number =>
    // Why: what is no number has gone wrong altogether.
    Number.isNaN(value) ? Infinity : Math.abs(value - expected);
  return criteria.reduce((worst, each) => (distance(each) > distance(worst) ? each : worst));
}

/** The greatest of |values|: 0 of none, NaN where one is no number. */
export function greatest(values: Iterable<number>): number {
  let most = 0;
  for (const value of values) most = Number.isNaN(value) ? NaN : Math.max(most, Math.abs(value));
  return most;
}
