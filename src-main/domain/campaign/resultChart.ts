// Results as a chart: over one axis a line with intervals, over two a heat map. Axes with many values, as sampling designs
// have them, are divided into intervals first.
import type {
  GroupRow,
  GroupStatistic,
  ResultColumn,
  ResultRow,
  ResultValue,
} from '#contract/host/campaignMethods.ts';
import type { Axis, Chart, PlacedText, Shape } from '#domain/charts/chart.ts';
import { scaleColour, toHex } from '#domain/shared/colours.ts';
import { numberText, withMinus } from '#domain/shared/formats.ts';
import { extent } from '#domain/shared/statistics.ts';
import { compareValues } from './resultTable.ts';

/** Values of an axis that are shown one by one; more are divided into as many intervals. */
const maxValues = 20;
const intervals = 8;
/** Values of an axis that are its ticks. */
const maxTicks = 8;

export interface ChartOptions {
  measure: string;
  /** Names of columns whose axis is logarithmic. */
  logAxes: ReadonlySet<string>;
  /** Confidence of the intervals. */
  level: number;
}

/** Rows with the values of `by` that have many replaced by the middles of intervals of equal width. */
export function withIntervals(
  columns: readonly ResultColumn[],
  rows: readonly ResultRow[],
  by: readonly string[],
  logAxes: ReadonlySet<string>,
): ResultRow[] {
  return by.reduce<ResultRow[]>(
    (divided, name) => {
      const index = columns.findIndex((column) => column.name === name);
      const numbers = divided.flatMap(({ values }) => {
        const value = values[index];
        return typeof value === 'number' ? [value] : [];
      });
      if (new Set(numbers).size <= maxValues) return divided;
      const middleOf = intervalsOf(numbers, logAxes.has(name));
      return divided.map((row) => {
        const value = row.values[index] ?? null;
        const middle = typeof value === 'number' ? middleOf(value) : value;
        return { ...row, values: row.values.with(index, middle) };
      });
    },
    [...rows],
  );
}

/** A line over one axis, with the intervals of the groups. */
export function lineChart(by: string, groups: readonly GroupRow[], options: ChartOptions): Chart {
  const ordered = groups
    .flatMap(({ key, statistics }) => {
      const [statistic] = statistics;
      return statistic?.mean == null ? [] : [{ value: key[0] ?? null, statistic }];
    })
    .toSorted((a, b) => compareValues(a.value, b.value));
  const { axis, placeOf } = axisOver(
    by,
    ordered.map(({ value }) => value),
    options.logAxes.has(by),
  );
  const { measure } = options;
  const data = ordered.map(
    ({ value, statistic }) => [placeOf(value), statistic.mean ?? 0] as const,
  );
  return {
    x: axis,
    y: {
      ...measureAxis(ordered.map(({ statistic }) => statistic)),
      name: measure,
      unit: '',
    },
    caption: captionOf(measure, groups, options),
    series: [
      {
        name: 'line',
        kind: 'line',
        data,
        errors: ordered.map(({ statistic }) => errorOf(statistic)),
      },
      { name: measure, kind: 'points', data, sizePx: 7, colour: '#3a6ea5' },
    ],
  };
}

/** A cell for each pair of values, coloured and labelled by the mean of its group. */
export function heatMap(
  [first, second]: readonly [string, string],
  groups: readonly GroupRow[],
  options: ChartOptions,
): Chart {
  const cells = groups.flatMap(({ key, statistics }) => {
    const mean = statistics[0]?.mean ?? null;
    return mean === null ? [] : [{ x: key[0] ?? null, y: key[1] ?? null, mean }];
  });
  const across = placesOf(cells.map(({ x }) => x));
  const up = placesOf(cells.map(({ y }) => y));
  const means = cells.map(({ mean }) => mean);
  const [low, high] = extent(means);
  const shapes: Shape[] = [];
  const texts: PlacedText[] = [];
  for (const { x, y, mean } of cells) {
    const [left, bottom] = [across.placeOf(x) - 0.5, up.placeOf(y) - 0.5];
    const share = high > low ? (mean - low) / (high - low) : 0.5;
    const corners = [
      [left, bottom],
      [left + 1, bottom],
      [left + 1, bottom + 1],
      [left, bottom + 1],
    ] as const;
    shapes.push({ points: corners, fill: toHex(scaleColour('viridis', share)), stroke: '#ffffff' });
    // Viridis is dark below and bright above.
    const colour = share < 0.6 ? '#ffffff' : '#1c1e22';
    texts.push({ at: [left + 0.5, bottom + 0.5], text: shortNumber(mean), colour });
  }
  return {
    x: { ...across.axis, name: first },
    y: { ...up.axis, name: second },
    series: [],
    shapes,
    texts,
    caption: captionOf(options.measure, groups, options, false),
  };
}

/** An axis of numbers, or of places for anything else. */
function axisOver(
  name: string,
  values: readonly ResultValue[],
  isLog: boolean,
): { axis: Axis; placeOf: (value: ResultValue) => number } {
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length < values.length || numbers.length === 0) {
    const { axis, placeOf } = placesOf(values);
    return { axis: { ...axis, name }, placeOf };
  }
  const [from, to] = extent(numbers);
  const margin = from < to ? 0.05 * (to - from) : 1;
  const digits = digitsFor(numbers);
  const labelled = (ticks: number[]): Pick<Axis, 'ticks' | 'tickLabels'> => {
    return { ticks, tickLabels: ticks.map((value) => shortNumber(value, digits)) };
  };
  const placeOf = Number;
  if (isLog && from > 0) {
    const range = { from: from / 1.2, to: to * 1.2 };
    const round = logTicks(range.from, range.to);
    const ticks = numbers.length <= maxTicks || round.length < 2 ? numbers : round;
    return { axis: { name, unit: '', isLog: true, ...range, ...labelled(ticks) }, placeOf };
  }
  const ticks = numbers.length <= maxTicks ? labelled(numbers) : {};
  return { axis: { name, unit: '', from: from - margin, to: to + margin, ...ticks }, placeOf };
}

/** Powers of ten; with 2 and 5 times those where there are few. */
function logTicks(from: number, to: number): number[] {
  const factors = to / from > 1000 ? [1] : [1, 2, 5];
  const [first, last] = [Math.floor(Math.log10(from)), Math.ceil(Math.log10(to))];
  const decades = Array.from({ length: last - first + 1 }, (_, place) => first + place);
  return decades
    .flatMap((decade) => factors.map((factor) => Number(`${factor}e${decade}`)))
    .filter((value) => value >= from && value <= to);
}

/** Round values over all intervals; with 0 where the values are at most twice as far from it as from each other. */
function measureAxis(statistics: readonly GroupStatistic[]): Omit<Axis, 'name' | 'unit'> {
  const values = statistics.flatMap(({ mean, low, high }) =>
    [mean, low, high].filter((value) => value !== null),
  );
  if (values.length === 0) return {};
  let [low, high] = extent(values);
  if (low > 0 && low <= 2 * (high - low)) low = 0;
  if (high < 0 && -high <= 2 * (high - low)) high = 0;
  const size = Math.max(Math.abs(low), Math.abs(high));
  // Why so short: below it differences are rounding.
  if (high - low <= 1e-9 * size || size === 0) {
    const margin = size === 0 ? 1 : 0.1 * size;
    [low, high] = [low - margin, high + margin];
  }
  const step = roundStep((high - low) / 5);
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  // Why rounded: 3 times 0.1 is 0.30000000000000004.
  const ticks = Array.from({ length: last - first + 1 }, (_, place) =>
    Number(((first + place) * step).toPrecision(12)),
  );
  const isLong = size >= 1e7 || step < 1e-4;
  const tickLabels = ticks.map((tick) => (isLong ? numberText(tick) : withMinus(String(tick))));
  const [from = low, to = high] = [ticks[0], ticks.at(-1)];
  return { from, to, ticks, tickLabels };
}

/** The smallest of 1, 2 and 5 times a power of ten that is not below `length`. */
function roundStep(length: number): number {
  const decade = Math.floor(Math.log10(length));
  const factor = [1, 2, 5].find((each) => Number(`${each}e${decade}`) >= length);
  return factor === undefined ? Number(`1e${decade + 1}`) : Number(`${factor}e${decade}`);
}

/** A place for each different value, in order. */
function placesOf(values: readonly ResultValue[]): {
  axis: Axis;
  placeOf: (value: ResultValue) => number;
} {
  const different = [...new Set(values)].toSorted(compareValues);
  const digits = digitsFor(different.filter((value) => typeof value === 'number'));
  const axis: Axis = {
    name: '',
    unit: '',
    from: -0.5,
    to: Math.max(1, different.length) - 0.5,
    ticks: different.map((_, place) => place),
    tickLabels: different.map((value) =>
      typeof value === 'number'
        ? shortNumber(value, digits)
        : value === null
          ? 'none'
          : String(value),
    ),
  };
  return { axis, placeOf: (value) => different.indexOf(value) };
}

/** The middle of the interval of a value: of equal widths, or of equal ratios. */
function intervalsOf(numbers: readonly number[], isLog: boolean): (value: number) => number {
  const scale = isLog ? Math.log : (value: number): number => value;
  const back = isLog ? Math.exp : (value: number): number => value;
  const places = numbers.map(scale);
  const [from, to] = extent(places);
  const width = (to - from) / intervals;
  const digits = digitsFor(numbers);
  return (value) => {
    const interval = Math.min(intervals - 1, Math.floor((scale(value) - from) / width));
    return Number(back(from + (interval + 0.5) * width).toPrecision(digits));
  };
}

function errorOf({ mean, low, high }: GroupStatistic): readonly [number, number] {
  if (mean === null || low === null || high === null) return [0, 0];
  return [mean - low, high - mean];
}

function captionOf(
  measure: string,
  groups: readonly GroupRow[],
  { level }: ChartOptions,
  hasIntervals = true,
): string {
  const runs = groups.reduce((sum, { statistics }) => sum + (statistics[0]?.n ?? 0), 0);
  const isShare = groups.some(({ statistics }) => statistics[0]?.kind === 'share');
  const kind = isShare ? 'share' : 'mean';
  const interval = hasIntervals ? `, ${numberText(100 * level)} % intervals` : '';
  return `${kind} of ${measure}${interval}, ${runs} runs`;
}

/** Digits that show a thousandth of the distance between the smallest and the largest number, at least four. */
function digitsFor(numbers: readonly number[]): number {
  const [low, high] = extent(numbers);
  const size = Math.max(Math.abs(low), Math.abs(high));
  const more = high > low ? Math.ceil(Math.log10(size / (high - low))) : 0;
  return Math.min(15, 4 + Math.max(0, more));
}

function shortNumber(value: number, digits = 4): string {
  return numberText(Number(value.toPrecision(digits)));
}
