// Metrics of learned models as people read them: names, units and decimals, one definition for terminal, page and
// validation. Values are in SI units, shares of 1.
import { countText, withMinus } from './formats.ts';

interface LearnedMetric {
  name: string;
  /** The title of its column. */
  title: string;
  hint: string;
  unit: '%' | 'cm' | '';
  /** Null: a count. */
  decimals: number | null;
  /** 1: more is better, −1: less, 0: neither. */
  sense: 1 | -1 | 0;
}

/** By the field of contract/worker/evaluate.ts; in the order of tables. */
export const learnedMetrics = {
  hitsDetected: {
    name: 'Hits detected',
    title: 'hits',
    unit: '%',
    decimals: 1,
    sense: 1,
    hint: 'returns of the log that the model returns, too',
  },
  missesDetected: {
    name: 'Misses detected',
    title: 'misses',
    unit: '%',
    decimals: 1,
    sense: 1,
    hint: 'beams without a return that pass the model',
  },
  behind: {
    name: 'Behind',
    title: 'behind',
    unit: '%',
    decimals: 1,
    sense: -1,
    hint: 'returns that the model has more than 0.5 m farther',
  },
  sweepM: {
    name: 'Sweep distance',
    title: 'sweep',
    unit: 'cm',
    decimals: 2,
    sense: -1,
    hint: 'D_pp in the mean over sweeps',
  },
  cloudM: {
    name: 'Cloud distance',
    title: 'cloud',
    unit: 'cm',
    decimals: 2,
    sense: -1,
    hint: 'D_pp of all returns',
  },
  negLogL: {
    name: '−ln likelihood',
    title: '−ln L',
    unit: '',
    decimals: 2,
    sense: -1,
    hint: 'mean of all beams, per millimetre',
  },
  bhattacharyya: {
    name: 'Bhattacharyya',
    title: 'Bhattacharyya',
    unit: '',
    decimals: 4,
    sense: -1,
    hint: 'of range histograms; a sensor that stays',
  },
  underSampled: {
    name: 'Under-sampled',
    title: 'under-sampled',
    unit: '%',
    decimals: 1,
    sense: 0,
    hint: 'beams that met what fewer than 10 beams observed',
  },
  beams: count('Beams'),
  elements: count('Elements'),
  triangles: count('Triangles'),
  points: count('Points'),
} as const satisfies Record<string, LearnedMetric>;

export type LearnedMetricName = keyof typeof learnedMetrics;

// Why the cast: Object.keys loses the names.
export const learnedMetricNames = Object.keys(learnedMetrics) as readonly LearnedMetricName[];

/** 'hits %'. */
export function metricTitle(name: LearnedMetricName): string {
  const { title, unit } = learnedMetrics[name];
  return unit === '' ? title : `${title} ${unit}`;
}

/** '52.1', without its unit; '–' where there is no value. */
export function metricText(name: LearnedMetricName, value: number | null | undefined): string {
  if (typeof value !== 'number') return '–';
  const { unit, decimals }: LearnedMetric = learnedMetrics[name];
  if (decimals === null) return countText(value);
  // Both units are hundredths.
  return withMinus((unit === '' ? value : 100 * value).toFixed(decimals));
}

function count(name: string) {
  return { name, title: name.toLowerCase(), hint: '', unit: '', decimals: null, sense: 0 } as const;
}
