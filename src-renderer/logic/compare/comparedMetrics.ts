// Metrics of several runs side by side, each with its difference from the first.
import { runMetricNames, runMetrics, type RunMetrics } from '#contract/host/runMetrics.ts';
import { fixedText, unknownText } from '#domain/shared/formats.ts';
import { metricUnit, metricValue } from '#domain/shared/runMetrics.ts';

export interface ComparedMetric {
  name: string;
  unit: string;
  /** One a run; '–' where the run has no metrics. */
  cells: { text: string; difference: string; isBetter: boolean | null }[];
}

/** The metrics that any of the runs has. */
export function comparedMetrics(runs: readonly (RunMetrics | null)[]): ComparedMetric[] {
  return runMetricNames.flatMap((name) => {
    const { title, better, decimals = 0 } = runMetrics[name];
    const values = runs.map((metrics) => metricValue(name, metrics));
    if (values.every((value) => value === null)) return [];
    const [first = null] = values;
    const cells = values.map((value, index) => {
      if (value === null) return { text: unknownText, difference: '', isBetter: null };
      const text = fixedText(value, decimals);
      if (index === 0 || first === null) return { text, difference: '', isBetter: null };
      // As shown: else 19.8 and 19.9 may be equal, and two that read 18.8 differ.
      const by = Number(value.toFixed(decimals)) - Number(first.toFixed(decimals));
      const isSame = Math.abs(by) < 0.5 * 10 ** -decimals;
      return {
        text,
        difference: isSame ? '=' : differenceText(by, first, decimals),
        isBetter: isSame || better === undefined ? null : by < 0 === (better === 'less'),
      };
    });
    return [{ name: title, unit: metricUnit(name), cells }];
  });
}

/** '+1.5 (+12 %)', the share on one line; without a share where there is nothing to share. */
function differenceText(by: number, first: number, decimals: number): string {
  const sign = by < 0 ? '−' : '+';
  const amount = `${sign}${fixedText(Math.abs(by), decimals)}`;
  if (Math.abs(first) < 1e-9) return amount;
  const percent = Math.abs((100 * by) / first);
  return `${amount} (${sign}${percent.toFixed(percent < 10 ? 1 : 0)}\u00a0%)`;
}
