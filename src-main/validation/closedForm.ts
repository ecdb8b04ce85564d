// Measured values beside closed forms: as criteria, as a table of the report with the source of each form, and as
// metrics of validate.json.
import type { ClosedFormMetrics, Criterion } from '#contract/host/validation.ts';
import { numberText, withUnit } from '#domain/shared/formats.ts';
import { within } from './criteria.ts';
import type { Table } from './section.ts';

/**
 * Standard errors that a random value may lie off: 6e-5 of correct values do, so that of some 50 of them with three
 * seeds about one in a hundred runs with other seeds would fail.
 */
const standardErrors = 4;

export interface ClosedForm extends ClosedFormMetrics {
  /** SI unit, or '1'. */
  unit: string;
}

/**
 * `tolerance`: for what is not random, such as 32-bit columns; standard errors are added to it, `standardErrors` times.
 */
export function closedForm(
  name: string,
  {
    measured,
    expected,
    standardError = 0,
    tolerance = 0,
    unit = '1',
    source,
  }: {
    measured: number;
    expected: number;
    standardError?: number;
    tolerance?: number;
    unit?: string;
    source: string;
  },
): ClosedForm {
  const limit = tolerance + standardErrors * standardError;
  const pass = Math.abs(measured - expected) <= limit;
  return { name, expected, measured, standardError, tolerance: limit, source, pass, unit };
}

/** A part of an experiment that shows closed forms. */
export function formsPart(
  ours: string,
  forms: readonly ClosedForm[],
): {
  ours: string[];
  forms: ClosedForm[];
  criteria: Criterion[];
} {
  return { ours: [ours], forms: [...forms], criteria: forms.map(criterionOf) };
}

/** The forms of all parts, in their order. */
export function formsOf(parts: readonly { forms?: ClosedForm[] }[]): ClosedForm[] {
  return parts.flatMap(({ forms = [] }) => forms);
}

/** As in validate.json. */
export function metricsOf(forms: readonly ClosedForm[]): ClosedFormMetrics[] {
  return forms.map(({ name, expected, measured, standardError, tolerance, source, pass }) => ({
    name,
    expected,
    measured,
    standardError,
    tolerance,
    source,
    pass,
  }));
}

/** Statement, values and source of each. */
export function formsTable(title: string, forms: readonly ClosedForm[]): Table {
  return {
    title,
    columns: ['closed form', 'expected', 'measured', 'standard error', 'tolerance', 'source'],
    rows: forms.map(({ name, expected, measured, standardError, tolerance, unit, source }) => [
      name,
      withUnit(expected, unit),
      withUnit(measured, unit),
      standardError === 0 ? '–' : numberText(standardError),
      numberText(tolerance),
      source,
    ]),
    caption: `Tolerances are ${standardErrors} standard errors of the measured value, and what 32-bit columns round.`,
  };
}

/** Standard error of the mean of `values`. */
export function meanForm(values: ArrayLike<number>): { measured: number; standardError: number } {
  const { mean, variance } = momentsOf(values);
  return { measured: mean, standardError: Math.sqrt(variance / values.length) };
}

/** Standard deviation of normal numbers; its standard error is σ/√(2(n − 1)). */
export function sigmaForm(values: ArrayLike<number>): { measured: number; standardError: number } {
  const sigma = Math.sqrt(momentsOf(values).variance);
  return { measured: sigma, standardError: sigma / Math.sqrt(2 * (values.length - 1)) };
}

/** Share of `count` in `of` independent trials, with the standard error of the expected share. */
export function shareForm(
  count: number,
  of: number,
  expected: number,
): { measured: number; expected: number; standardError: number } {
  const standardError = Math.sqrt((expected * (1 - expected)) / of);
  return { measured: count / of, expected, standardError };
}

/** Mean and variance (over n − 1). */
function momentsOf(values: ArrayLike<number>): { mean: number; variance: number } {
  const count = values.length;
  let sum = 0;
  for (let n = 0; n < count; n += 1) sum += values[n] ?? NaN;
  const mean = sum / count;
  let squares = 0;
  for (let n = 0; n < count; n += 1) squares += ((values[n] ?? NaN) - mean) ** 2;
  return { mean, variance: squares / (count - 1) };
}

function criterionOf({ name, measured, expected, tolerance, unit }: ClosedForm): Criterion {
  return within(name, measured, expected, tolerance, unit);
}
