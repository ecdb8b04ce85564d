// The measures of a campaign over its runs: compiled once, evaluated for each run or taken from one that is shared.
import type { RunMetrics } from '#contract/host/run.ts';
import { measureFields } from '#contract/host/runMetrics.ts';
import { compileMeasure, type Measure } from '#domain/campaign/measures.ts';
import type { MeasuredRun } from '#domain/campaign/measuredRun.ts';

type Values = Record<string, number | null>;

export interface MeasuredValues {
  /** By the name that the campaign gives the measure. */
  byName: Values;
  /** By the text of the expression, so that other campaigns can share the run. */
  byText: Values;
}

export interface RunMeasuring {
  /** Names of instances that measures may ask for. */
  instances: ReadonlySet<string>;
  measure(run: MeasuredRun): MeasuredValues;
  /** By name, from the metrics of a run and what was measured then; null: something was not measured. */
  fromStored(metrics: RunMetrics, byText: Readonly<Values>): Values | null;
}

/** @param measures texts of expressions by name. @throws TypeError for a text that is no measure: it was checked before */
export function createMeasuring(measures: Readonly<Record<string, string>>): RunMeasuring {
  const all = Object.entries(measures).map(([name, text]) => ({ name, text, of: compiled(text) }));
  return {
    instances: new Set(all.flatMap(({ text }) => textsIn(text))),
    measure(run) {
      const values = all.map(({ name, text, of }) => ({ name, text, value: of(run) }));
      return {
        byName: Object.fromEntries(values.map(({ name, value }) => [name, value])),
        // Metrics are in the row of the run already.
        byText: Object.fromEntries(
          values.filter(({ text }) => !isMetric(text)).map(({ text, value }) => [text, value]),
        ),
      };
    },
    fromStored(metrics, byText) {
      const values: Values = {};
      for (const { name, text, of } of all) {
        const stored = isMetric(text) ? of(metricsAlone(metrics)) : byText[text];
        if (stored === undefined) return null;
        values[name] = stored;
      }
      return values;
    },
  };
}

function compiled(text: string): Measure {
  const { value } = compileMeasure(text);
  if (value === null) throw new TypeError(`'${text}' is no measure`);
  return value;
}

function isMetric(text: string): boolean {
  return measureFields.has(text);
}

function metricsAlone(metrics: RunMetrics): MeasuredRun {
  return { metrics, scans: () => [], ticks: () => [], instanceReturns: () => new Map() };
}

/** Texts in quotes, which have no escapes: among them the names of instances. */
function textsIn(text: string): string[] {
  return [...text.matchAll(/'([^']*)'|"([^"]*)"/g)].map(
    ([, single, double]) => single ?? double ?? '',
  );
}
