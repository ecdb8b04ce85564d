// Metrics of several runs side by side, each with its difference from the first.
import type { RunMetrics } from '#contract/host/run.ts';

export interface ComparedMetric {
  name: string;
  unit: string;
  /** One a run; '–' where the run has no metrics. */
  cells: { text: string; difference: string; isBetter: boolean | null }[];
}

interface ShownMetric {
  name: string;
  unit: string;
  digits: number;
  of: (metrics: RunMetrics) => number | null;
  /** Which direction is better; left out: neither. */
  better?: 'less' | 'more';
  /** Left out where no run has it. */
  isRare?: boolean;
}

const shownMetrics: readonly ShownMetric[] = [
  { name: 'Simulated time', unit: 's', digits: 1, of: (f) => f.simSeconds },
  { name: 'Distance to goal', unit: 'm', digits: 1, of: (f) => f.distanceToGoalM, better: 'less' },
  { name: 'Collisions', unit: '', digits: 0, of: (f) => f.collisions, better: 'less' },
  {
    name: 'Late commands',
    unit: '',
    digits: 0,
    of: (f) => f.lateCommands ?? null,
    better: 'less',
    isRare: true,
  },
  { name: 'Path', unit: 'm', digits: 1, of: (f) => f.pathLengthM },
  { name: 'Through ground cover', unit: 'm', digits: 1, of: (f) => f.groundCoverLengthM },
  {
    name: 'Position error, mean',
    unit: 'm',
    digits: 3,
    better: 'less',
    of: (f) => f.meanPositionErrorM,
  },
  { name: 'Energy', unit: 'kJ', digits: 1, of: (f) => f.energyJ / 1000, better: 'less' },
  { name: 'Points', unit: '', digits: 0, of: (f) => f.points },
  { name: 'Plans', unit: '', digits: 0, of: (f) => f.plans },
  { name: 'Median plan', unit: 'ms', digits: 1, of: (f) => f.planMedianMs, better: 'less' },
  { name: 'Real-time factor', unit: '×', digits: 2, of: (f) => f.realTimeFactor, better: 'more' },
  { name: 'Peak memory', unit: 'MB', digits: 0, of: (f) => f.peakRssMB, better: 'less' },
];

export function comparedMetrics(runs: readonly (RunMetrics | null)[]): ComparedMetric[] {
  const shown = shownMetrics.filter(
    ({ isRare, of }) => isRare !== true || runs.some((run) => run !== null && of(run) !== null),
  );
  return shown.map(({ name, unit, digits, of, better }) => {
    const first = runs[0] === null || runs[0] === undefined ? null : of(runs[0]);
    return {
      name,
      unit,
      cells: runs.map((metrics, index) => {
        const value = metrics === null ? null : of(metrics);
        if (value === null) return { text: '–', difference: '', isBetter: null };
        const text = numberText(value, digits);
        if (index === 0 || first === null) return { text, difference: '', isBetter: null };
        const by = value - first;
        const isSame = Math.abs(by) < 0.5 * 10 ** -digits;
        return {
          text,
          difference: isSame ? '=' : differenceText(by, first, digits),
          isBetter: isSame || better === undefined ? null : by < 0 === (better === 'less'),
        };
      }),
    };
  });
}

/** '+1.5 (+12 %)'; without a share where there is nothing to share. */
function differenceText(by: number, first: number, digits: number): string {
  const sign = by < 0 ? '−' : '+';
  const amount = `${sign}${numberText(Math.abs(by), digits)}`;
  if (Math.abs(first) < 1e-9) return amount;
  const percent = Math.abs((100 * by) / first);
  return `${amount} (${sign}${percent.toFixed(percent < 10 ? 1 : 0)} %)`;
}

function numberText(value: number, digits: number): string {
  return value.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
