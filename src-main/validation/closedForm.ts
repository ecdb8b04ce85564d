// Closed forms as rows: a shot of the laboratory, the statistics of its columns and what each must be, with its source.
// Criteria, the table of the report and the metrics of validate.json are made from the rows.
import type { ReturnColumnName } from '#contract/columns.ts';
import type { ClosedFormMetrics, Comparison, Criterion } from '#contract/host/validation.ts';
import { ksCritical, ksDistance } from '#domain/metrics/distribution.ts';
import { numberText, withUnit } from '#domain/shared/formats.ts';
import { mean, standardDeviation, standardError } from '#domain/shared/statistics.ts';
import { criterion } from './criteria.ts';
import type { Fired, Laboratory, Shot } from './laboratory.ts';
import type { Table } from './section.ts';

/**
 * Standard errors that a random value may lie off: 6e-5 of correct values do, so that of some 50 of them with three
 * seeds about one in a hundred runs with other seeds would fail.
 */
const standardErrors = 4;

/** A statistic with what belongs to it. */
export interface Estimate {
  measured: number;
  standardError?: number;
  /** Where it follows from what was measured. */
  expected?: number;
}

/** A value, and how far off it one may be that is not random: by roundings of 32-bit columns and the like. */
interface Rounded {
  expected: number;
  tolerance: number;
  unit?: string;
}

/** expected ± tolerance, in a unit other than '1'. */
export function about(expected: number, tolerance: number, unit?: string): Rounded {
  return { expected, tolerance, ...(unit !== undefined && { unit }) };
}

/** The value that a statistic must have. */
export interface Law {
  name: string;
  /** Left out: the statistic states it. */
  expected?: number | Rounded;
  /** As of `about`; standard errors are added to it, `standardErrors` times. */
  tolerance?: number;
  /** Default: 'within'. */
  comparison?: Comparison;
  /** SI unit; default: '1'. */
  unit?: string;
  /** Author, year, place; or the derivation in a phrase. */
  source: string;
}

/** Statistic of the rows of a shot: the first value of a column, the number of rows, or a function of all columns. */
export type Statistic<N extends ReturnColumnName> =
  N | 'rows' | ((fired: Fired<N>) => number | Estimate);

/** One of several laws of a shot. */
export type OneOf<N extends ReturnColumnName> = Partial<Law> & {
  name: string;
  statistic: Statistic<N>;
};

/** Closed forms, measured: of a row, or of what needs several shots. */
export type Measurement = (laboratory: Laboratory) => Promise<ClosedForm[]>;

/** A shot whose columns, where none are named, are those of its statistics. */
type Row<N extends ReturnColumnName> = Omit<Shot<N>, 'columns'> & { columns?: readonly N[] };

/** A closed form as a row: what is fired at what, the statistic of its columns, and what it must be. */
export function form<N extends ReturnColumnName>({
  statistic,
  ...row
}: Row<N> & Law & { statistic: Statistic<N> }): Measurement {
  return forms({ ...row, laws: [{ ...row, statistic }] });
}

/** Several of one shot; what all laws share is stated once, beside the shot. */
export function forms<N extends ReturnColumnName>({
  laws,
  ...row
}: Row<N> & Partial<Law> & { laws: readonly OneOf<N>[] }): Measurement {
  const named = laws.flatMap(({ statistic }) =>
    typeof statistic === 'function' || statistic === 'rows' ? [] : [statistic],
  );
  return async (laboratory) => {
    const fired = await laboratory.fire({ ...row, columns: row.columns ?? [...new Set(named)] });
    return laws.map(({ statistic, ...law }) =>
      closedForm({ source: '', ...withValue(row), ...withValue(law) }, valueOf(statistic, fired)),
    );
  };
}

function valueOf<N extends ReturnColumnName>(
  statistic: Statistic<N>,
  fired: Fired<N>,
): number | Estimate {
  if (typeof statistic === 'function') return statistic(fired);
  if (statistic === 'rows') return fired.rows;
  const values: readonly number[] = fired[statistic];
  return values[0] ?? NaN;
}

export interface ClosedForm extends ClosedFormMetrics {
  unit: string;
  comparison: Comparison;
}

/** A law with the values that `about` states. */
function withValue<L extends Partial<Law>>({ expected, ...law }: L) {
  const value = typeof expected === 'number' ? { expected } : expected;
  return { ...law, ...value };
}

/** A law held against an estimate. */
export function closedForm(
  { name, comparison = 'within', source, ...law }: Law,
  estimate: number | Estimate,
): ClosedForm {
  const { tolerance = 0, unit = '1', ...stated } = withValue(law);
  const found = typeof estimate === 'number' ? { measured: estimate } : estimate;
  const { measured, standardError = 0, expected = stated.expected ?? NaN } = found;
  const limit = tolerance + standardErrors * standardError;
  const { pass } = criterion(comparison, name, measured, expected, { tolerance: limit });
  const values = { name, expected, measured, standardError, tolerance: limit };
  return { ...values, source, pass, unit, comparison };
}

export function criterionOf({ name, measured, expected, ...form }: ClosedForm): Criterion {
  return criterion(form.comparison, name, measured, expected, form);
}

/** As in validate.json. */
export function metricsOf(forms: readonly ClosedForm[]): ClosedFormMetrics[] {
  return forms.map(({ unit: _, comparison: __, ...metrics }) => metrics);
}

/** Statement, values and source of each. */
export function formsTable(title: string, forms: readonly ClosedForm[]): Table {
  return {
    title,
    columns: ['closed form', 'expected', 'measured', 'standard error', 'tolerance', 'source'],
    rows: forms.map((form) => [
      form.name,
      withUnit(form.expected, form.unit),
      withUnit(form.measured, form.unit),
      form.standardError === 0 ? '–' : numberText(form.standardError),
      numberText(form.tolerance),
      form.source,
    ]),
    caption: `Tolerances are ${standardErrors} standard errors of the measured value, and what 32-bit columns round.`,
  };
}

/** The mean with its standard error. */
export function meanForm(values: readonly number[]): Estimate {
  return { measured: mean(values), standardError: standardError(values) };
}

/** Standard deviation of normal numbers; its standard error is σ/√(2(n − 1)). */
export function sigmaForm(values: readonly number[]): Estimate {
  const sigma = standardDeviation(values);
  return { measured: sigma, standardError: sigma / Math.sqrt(2 * (values.length - 1)) };
}

/** Share of `count` in `of` independent trials, with the standard error of the expected share. */
export function shareForm(count: number, of: number, expected: number): Estimate {
  const standardError = Math.sqrt((expected * (1 - expected)) / of);
  return { measured: count / of, expected, standardError };
}

/** Kolmogorov and Smirnov's distance to a law, and its critical value: for the comparison 'below'. */
export function ksForm(values: readonly number[], cdf: (x: number) => number): Estimate {
  return { measured: ksDistance(values, cdf), expected: ksCritical(values.length) };
}

/** The pair whose measured value is farthest from the expected; what is no number is farthest. */
export function worst(pairs: readonly Required<Pick<Estimate, 'measured' | 'expected'>>[]): {
  measured: number;
  expected: number;
} {
  const error = ({ measured, expected }: (typeof pairs)[number]): number =>
    Number.isNaN(measured) ? Infinity : Math.abs(measured - expected);
  return pairs.reduce((most, each) => (error(each) > error(most) ? each : most));
}

/** Differences of two columns, row by row. */
export function differences(column: readonly number[], other: readonly number[]): number[] {
  return column.map((value, row) => value - (other[row] ?? NaN));
}

/** How far each value lies from a whole multiple of the step, in steps. */
export function offSteps(column: readonly number[], step: number): number[] {
  return column.map((value) => Math.abs(value / step - Math.round(value / step)));
}
