// Values and texts of a run's metrics (contract/host/runMetrics.ts), for the page, the terminal and pages of bundles.
import { runMetrics, type RunMetricName, type RunMetrics } from '#contract/host/runMetrics.ts';
import {
  factorText,
  metresText,
  secondsText,
  shortCountText,
  unknownText,
  withMinus,
} from './formats.ts';

/** Metrics, of which some may not be known. */
export type KnownMetrics = { [K in RunMetricName]?: RunMetrics[K] | null } | null;

/** Unit of the texts of a metric; '' for counts and lists. */
export function metricUnit(name: RunMetricName): string {
  const { unit = '' } = runMetrics[name];
  return unit;
}

/** A number in that unit; null: not known, or no number. */
export function metricValue(name: RunMetricName, metrics: KnownMetrics): number | null {
  const { scale = 1 } = runMetrics[name];
  const value = metrics?.[name];
  return typeof value === 'number' ? value / scale : null;
}

/** With its unit, as in '12.3 m'; a dash where it is not known. */
export function metricText(name: RunMetricName, metrics: KnownMetrics): string {
  const { unit, decimals = 0 } = runMetrics[name];
  const raw = metrics?.[name];
  if (Array.isArray(raw)) return raw.join(', ');
  const value = metricValue(name, metrics);
  if (value === null) return unknownText;
  switch (unit) {
    case 's':
      return secondsText(value);
    case 'm':
      return metresText(value, decimals);
    case '×':
      return factorText(value);
    case undefined:
      return shortCountText(value);
    default:
      return withMinus(`${value.toFixed(decimals)} ${unit}`);
  }
}
