// The measures that the form offers: metrics of a run by their names in expressions, and expressions to begin with.
import { measureFields, runMetrics } from '#contract/host/runMetrics.ts';

export const measureNames: readonly { name: string; meaning: string }[] = [...measureFields].map(
  ([name, field]) => ({ name, meaning: runMetrics[field].meaning }),
);

/** Expressions to begin with. */
export const measureExamples: readonly string[] = [
  "returns(class = 'tree')",
  "count(scans, returns(class = 'tree') > 50)",
  'points / pulses',
];

/** A name for the column of an expression. */
export function newMeasureName(text: string, taken: readonly string[]): string {
  const isName = /^[a-zA-Z]\w*$/.test(text);
  const words = isName ? text : (/'([a-zA-Z]\w*)'/.exec(text)?.[1] ?? 'measure');
  const name = isName ? words : `${words}Measure`.replace('measureMeasure', 'measure');
  if (!taken.includes(name)) return name;
  for (let number = 2; ; number += 1) {
    if (!taken.includes(`${name}${number}`)) return `${name}${number}`;
  }
}
