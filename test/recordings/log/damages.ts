// Logs that no reader may accept, in either language: `node test/recordings/log/damages.ts` writes them to damaged/. All
// but `otherHash` state the SHA-256 of their contents, so that the rule itself has to refuse them.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { GoldenColumn } from '#test/wire/goldenFrames.ts';
import { goldenCounts, goldenHead, goldenParts, logOf, type LogParts } from './writeGolden.ts';

type Columns = readonly GoldenColumn[];
type Changes = Partial<LogParts>;

const golden = goldenParts();
const [first = raise(), second = raise()] = golden.chunks;

/** The parts that each damage changes, by the name of its file. */
const damages: Record<string, Changes> = {
  repeatedChunk: {
    counts: { beams: 9, returns: 3, misses: 2, missesInferred: 2, unknown: 2 },
    summary: (offsets) => inRows(golden.summary(offsets), [0, 0, 1]),
  },
  manyBeamsInFewBytes: {
    counts: { ...goldenCounts, beams: 65_537, unknown: 65_533 },
    summary: (offsets) => withValue(golden.summary(offsets), 'beams', 0, 65_536),
  },
  chunksInOtherOrder: { summary: (offsets) => inRows(golden.summary(offsets), [1, 0]) },
  unlistedChunk: {
    counts: { beams: 1, returns: 1, misses: 0, missesInferred: 0, unknown: 0 },
    summary: (offsets) => inRows(golden.summary(offsets), [1]),
  },
  bytesBetweenChunks: { gaps: { chunk: 16, summary: 0, frame: 0 } },
  bytesBehindSummary: { gaps: { chunk: 0, summary: 16, frame: 0 } },
  bytesBehindFrames: { gaps: { chunk: 0, summary: 0, frame: 4 } },
  chunkInsideAnother: {
    summary: ([at = 0]) => withValue(golden.summary([at, at + 16]), 'beams', 0, 4),
  },
  offsetBeyondFile: { summary: ([at = 0]) => golden.summary([at, 2 ** 40]) },
  otherNumbers: {
    chunks: [
      { ...first, seq: 1 },
      { ...second, seq: 0 },
    ],
  },
  chunkWithoutBeams: {
    counts: { beams: 1, returns: 1, misses: 0, missesInferred: 0, unknown: 0 },
    summary: (offsets) => withValue(golden.summary(offsets), 'beams', 0, 0),
  },
  moreBeamsThanRows: {
    counts: { ...goldenCounts, beams: 6, unknown: 2 },
    summary: (offsets) => withValue(golden.summary(offsets), 'beams', 0, 5),
  },
  countsOfOtherChunks: { counts: { ...goldenCounts, beams: 6, unknown: 2 } },
  countsThatDoNotAddUp: { counts: { ...goldenCounts, returns: 3 } },
  negativeCount: { counts: { ...goldenCounts, returns: 4, misses: -1 } },
  summaryWithoutOffsets: {
    summary: (offsets) => golden.summary(offsets).filter(({ name }) => name !== 'offset'),
  },
  summaryWithoutTimes: {
    summary: (offsets) => golden.summary(offsets).filter(({ name }) => name !== 'to_ns'),
  },
  headWithoutDirections: {
    head: { ...goldenHead, columns: goldenHead.columns.filter((name) => name !== 'direction_x') },
  },
  headWithColumnTwice: {
    head: {
      ...goldenHead,
      columns: goldenHead.columns.map((name) => (name === 'label' ? 'laser' : name)),
    },
  },
  headWithUnknownColumn: { head: { ...goldenHead, columns: [...goldenHead.columns, 'colour'] } },
  additionalColumn: ofFirst((columns) => [
    ...columns,
    { name: 'class_id', type: 'u16', values: [0, 0, 0, 0] },
  ]),
  missingColumn: ofFirst((columns) => columns.filter(({ name }) => name !== 'label')),
  columnOfOtherType: ofFirst((columns) =>
    columns.map((column) => (column.name === 'state' ? { ...column, type: 'u16' } : column)),
  ),
  columnOfOtherLength: ofFirst((columns) =>
    columns.map((column) =>
      column.name === 'label' ? { ...column, values: column.values.slice(1) } : column,
    ),
  ),
  unknownState: ofFirst((columns) => withValue(columns, 'state', 3, 4)),
  returnWithoutRange: ofFirst((columns) => withValue(columns, 'range_m', 0, NaN)),
  infiniteRange: ofFirst((columns) => withValue(columns, 'range_m', 0, Infinity)),
  rangeOfMiss: ofFirst((columns) => withValue(columns, 'range_m', 1, 7)),
  longDirection: ofFirst((columns) => withValue(columns, 'direction_x', 0, 2)),
  originThatIsNoNumber: ofFirst((columns) => withValue(columns, 'origin_y_m', 2, NaN)),
  unknownLabel: ofFirst((columns) => withValue(columns, 'label', 0, 3)),
  otherHash: { hashOffset: 1 },
};

/** The damaged logs by the names of their files. */
export function damagedLogs(): Map<string, Buffer> {
  return new Map(
    Object.entries(damages).map(([name, changes]) => [
      `${name}.log`,
      logOf({ ...golden, ...changes }),
    ]),
  );
}

/** The first chunk with other columns. */
function ofFirst(change: (columns: Columns) => GoldenColumn[]): Changes {
  return { chunks: [{ ...first, columns: change(first.columns) }, second] };
}

function withValue(columns: Columns, name: string, row: number, value: number): GoldenColumn[] {
  return columns.map((column) =>
    column.name === name
      ? { ...column, values: column.values.map((old, at) => (at === row ? value : old)) }
      : column,
  );
}

function inRows(columns: Columns, rows: readonly number[]): GoldenColumn[] {
  return columns.map((column) => ({
    ...column,
    values: rows.map((row) => column.values[row] ?? raise()),
  }));
}

function raise(): never {
  throw new RangeError('the golden log has two chunks');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = new URL('damaged/', import.meta.url);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, bytes] of damagedLogs()) writeFileSync(new URL(name, folder), bytes);
}
