// Metrics of models as a table: how they read, which model is best, and what reality differs by from itself; of all beams,
// or of those of a class or range.
import type { EvaluationFloor, LearnReplies } from '#contract/host/learnMethods.ts';
import {
  learnedMetricNames,
  learnedMetrics,
  metricText,
  type LearnedMetricName,
} from '#domain/shared/learnedMetrics.ts';

export type Evaluated = LearnReplies['learn.evaluate']['models'][number];

export interface MetricRow {
  name: string;
  hint: string;
  /** One a model, in their order. */
  texts: string[];
  /** Value of reality against itself; '' where it is not known. */
  floor: string;
  /** The models whose value is best; none where fewer than two have one. */
  best: ReadonlySet<number>;
}

/** Metrics of some beams; what is missing has no meaning for them. */
type Values = Partial<Record<LearnedMetricName, number | null>>;

/** All beams, and groups of them that the models were judged by. */
export function beamGroups(models: readonly Evaluated[]): { key: string; label: string }[] {
  const [first] = models;
  const classes = (first?.classes ?? []).map(({ name }) => ({
    key: `class ${name ?? ''}`,
    label: name === null ? 'Beams without a return' : `Class ${name}`,
  }));
  const ranges = (first?.ranges ?? []).map(({ fromM, toM }) => ({
    key: `range ${fromM}`,
    label: toM === null ? `Range from ${fromM} m` : `Range ${fromM} to ${toM} m`,
  }));
  return [{ key: '', label: 'All beams' }, ...classes, ...ranges];
}

/** `group`: a key of beamGroups. Rows without a value for any model are left out. */
export function metricRows(
  models: readonly Evaluated[],
  group = '',
  floor: EvaluationFloor | null = null,
): MetricRow[] {
  const all = models.map((model) => valuesOf(model, group));
  const real: Values = group === '' && floor !== null ? floor : {};
  return learnedMetricNames.flatMap((of) => {
    const { name, hint, sense } = learnedMetrics[of];
    const values = all.map((one) => one[of] ?? null);
    const known = values.filter((value) => value !== null);
    if (known.length === 0 || (sense === 0 && known.every((value) => value === 0))) return [];
    const best = sense === 1 ? Math.max(...known) : Math.min(...known);
    const isCompared = sense !== 0 && known.length > 1;
    const bests = values.flatMap((value, at) => (isCompared && value === best ? [at] : []));
    const texts = values.map((value) => textOf(of, value));
    const least = real[of] ?? null;
    const ofReality = least === null ? '' : textOf(of, least);
    return [{ name, hint, texts, best: new Set(bests), floor: ofReality }];
  });
}

function valuesOf(model: Evaluated, group: string): Values {
  if (group === '') return model;
  const found =
    model.classes.find(({ name }) => group === `class ${name ?? ''}`) ??
    model.ranges.find(({ fromM }) => group === `range ${fromM}`);
  return found ?? {};
}

function textOf(of: LearnedMetricName, value: number | null): string {
  const { unit } = learnedMetrics[of];
  const text = metricText(of, value);
  return value === null || unit === '' ? text : `${text} ${unit}`;
}

/** The table as CSV, a model a line, in SI units. */
export function metricsCsv(models: readonly Evaluated[]): string {
  const columns = [
    'file',
    'model',
    'elements',
    'triangles',
    'points',
    'beams',
    'returns',
    'misses',
    'hitsDetected',
    'missesDetected',
    'sweepM',
    'cloudM',
    'negLogL',
    'underSampled',
    'behind',
    'bhattacharyya',
  ] as const satisfies readonly (keyof Evaluated)[];
  const quoted = (value: string | number | null): string => {
    const text = value === null ? '' : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = models.map((model) => columns.map((name) => quoted(model[name])).join(','));
  return `${[columns.join(','), ...lines].join('\n')}\n`;
}
