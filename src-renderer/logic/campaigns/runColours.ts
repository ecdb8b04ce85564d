// Colours of runs by the values of a column: of numbers along a scale, of words by class.
import { classColour, scaleColour, toHex } from '#domain/shared/colours.ts';
import type { ResultValue } from './resultValue.ts';
import { valueBins } from './valueBins.ts';

export interface RunColours {
  /** One for each group, with its colour; none where all runs have one colour. */
  labels: readonly string[];
  colours: readonly string[];
  /** Group of a run, by its row. */
  groupOf: (row: number) => number;
}

const maxGroups = 8;
/** Ends of the scale that are told from light and dark backgrounds. */
const [lowest, highest] = [0.12, 0.9];

/** `values`: null for one colour of all. */
export function runColours(values: readonly ResultValue[] | null): RunColours {
  if (values === null) return { labels: [], colours: [], groupOf: () => 0 };
  const { labels, binOf } = valueBins(values, maxGroups);
  const isOrdered = values.some((value) => typeof value === 'number');
  const last = Math.max(1, labels.length - 1);
  const colours = labels.map((_, at) =>
    toHex(
      isOrdered
        ? scaleColour('viridis', lowest + ((highest - lowest) * at) / last)
        : classColour(at),
    ),
  );
  return { labels, colours, groupOf: (row) => binOf(values[row] ?? null) ?? 0 };
}
