// Pieces of a section, where an experiment is made of several: each finds something, and all are joined.
import type { Criterion } from '#contract/host/validation.ts';
import type { ValidationBench } from './bench.ts';
import type { ClosedForm } from './closedForm.ts';
import type { ExperimentOptions } from './experiment.ts';
import type { Picture, Section, Table, TitledChart } from './section.ts';

/** The report of one piece. */
export interface Part {
  ours?: string[];
  charts?: TitledChart[];
  pictures?: Picture[];
  tables?: Table[];
  criteria: Criterion[];
  /** Those of the criteria that compare a value with a closed form, with their sources. */
  forms?: ClosedForm[];
}

/** A piece of an experiment by its name: experiments carry them out in order, mutants only some. */
export interface Piece {
  name: string;
  run: (bench: ValidationBench, options: PieceOptions) => Promise<Part>;
}

export interface PieceOptions {
  isQuick: boolean;
  seeds: readonly number[];
}

/** Carries out the pieces in order; progress is their count. */
export async function runPieces(
  pieces: readonly Piece[],
  bench: ValidationBench,
  { isQuick, seeds, onProgress }: ExperimentOptions,
): Promise<Part[]> {
  const parts: Part[] = [];
  for (const piece of pieces) {
    parts.push(await piece.run(bench, { isQuick, seeds }));
    onProgress(parts.length / pieces.length);
  }
  return parts;
}

/** Everything of the parts, in their order. */
export function joinParts(
  parts: readonly Part[],
): Pick<Section, 'ours' | 'charts' | 'pictures' | 'tables' | 'criteria'> {
  return {
    ours: parts.flatMap(({ ours = [] }) => ours),
    charts: parts.flatMap(({ charts = [] }) => charts),
    pictures: parts.flatMap(({ pictures = [] }) => pictures),
    tables: parts.flatMap(({ tables = [] }) => tables),
    criteria: parts.flatMap(({ criteria }) => criteria),
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
