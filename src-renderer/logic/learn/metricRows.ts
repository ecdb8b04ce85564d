// Metrics of models as a table: how they read, which model is best, and what reality differs by from itself; of all beams,
// or of those of a class or range.
import type { EvaluationFloor, LearnReplies } from '#contract/host/learnMethods.ts';
import { countText } from '#domain/shared/formats.ts';
import { formatShare } from '#renderer/logic/format.ts';

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
type Values = Partial<Record<MetricName, number | null>>;

type MetricName =
  | 'hitsDetected'
  | 'missesDetected'
  | 'behind'
  | 'sweepM'
  | 'cloudM'
  | 'negLogL'
  | 'bhattacharyya'
  | 'underSampled'
  | 'beams'
  | 'elements'
  | 'triangles'
  | 'points';

interface Metric {
  of: MetricName;
  name: string;
  hint: string;
  text: (value: number) => string;
  /** 1: more is better, −1: less, 0: neither. */
  sense: 1 | -1 | 0;
}

const centimetres = (metres: number): string => `${(100 * metres).toFixed(2)} cm`;

const decimals =
  (digits: number) =>
  (value: number): string =>
    value.toFixed(digits);

const metrics: readonly Metric[] = [
  metric(
    'hitsDetected',
    'Hits detected',
    'returns of the log that the model returns, too',
    formatShare,
    1,
  ),
  metric(
    'missesDetected',
    'Misses detected',
    'beams without a return that pass the model',
    formatShare,
    1,
  ),
  metric('behind', 'Behind', 'returns that the model has more than 0.5 m farther', formatShare, -1),
  metric('sweepM', 'Sweep distance', 'D_pp in the mean over sweeps', centimetres, -1),
  metric('cloudM', 'Cloud distance', 'D_pp of all returns', centimetres, -1),
  metric('negLogL', '−ln likelihood', 'mean of all beams, per millimetre', decimals(2), -1),
  metric(
    'bhattacharyya',
    'Bhattacharyya',
    'of range histograms; a sensor that stays',
    decimals(3),
    -1,
  ),
  metric(
    'underSampled',
    'Under-sampled',
    'beams that met what fewer than 10 beams observed',
    formatShare,
    0,
  ),
  metric('beams', 'Beams', '', countText, 0),
  metric('elements', 'Elements', '', countText, 0),
  metric('triangles', 'Triangles', '', countText, 0),
  metric('points', 'Points', '', countText, 0),
];

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
  return metrics.flatMap(({ of, name, hint, text, sense }) => {
    const values = all.map((one) => one[of] ?? null);
    const known = values.filter((value) => value !== null);
    if (known.length === 0 || (sense === 0 && known.every((value) => value === 0))) return [];
    const best = sense === 1 ? Math.max(...known) : Math.min(...known);
    const isCompared = sense !== 0 && known.length > 1;
    const bests = values.flatMap((value, at) => (isCompared && value === best ? [at] : []));
    const texts = values.map((value) => (value === null ? '–' : text(value)));
    const least = real[of] ?? null;
    return [{ name, hint, texts, best: new Set(bests), floor: least === null ? '' : text(least) }];
  });
}

function valuesOf(model: Evaluated, group: string): Values {
  if (group === '') return model;
  const found =
    model.classes.find(({ name }) => group === `class ${name ?? ''}`) ??
    model.ranges.find(({ fromM }) => group === `range ${fromM}`);
  return found ?? {};
}

function metric(
  of: MetricName,
  name: string,
  hint: string,
  text: Metric['text'],
  sense: Metric['sense'],
): Metric {
  return { of, name, hint, text, sense };
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
