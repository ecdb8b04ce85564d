// Statistics of a log, from its summary.
import type { LogStatistics } from '#contract/host/logMethods.ts';
import type { LogReader } from '#services/ports/logs.ts';

/** Facts of an open log. Nothing but head and summary is read. */
export function logStatistics({ head, counts, chunks, hash }: LogReader): LogStatistics {
  const { originM, sensor, source, derived, misses, crs } = head;
  const first = chunks.reduce<bigint | null>((least, { fromNs }) => minOf(least, fromNs), null);
  const last = chunks.reduce<bigint | null>((most, { toNs }) => maxOf(most, toNs), null);
  return {
    ...counts,
    extentM: extentOf(chunks, originM),
    seconds: first === null || last === null ? 0 : Number(last - first) / 1e9,
    lasers: sensor.lasers,
    hash,
    source,
    derived,
    missesAre: misses,
    sensor: sensor.name,
    crs,
    chunks: chunks.length,
  };
}

function extentOf(
  chunks: LogReader['chunks'],
  originM: readonly [number, number, number],
): LogStatistics['extentM'] {
  if (chunks.length === 0) return null;
  const axis = (of: (chunk: LogReader['chunks'][number]) => number[], most: boolean) =>
    originM.map((fromM, at) => {
      const values = chunks.map((chunk) => of(chunk)[at] ?? 0);
      return fromM + values.reduce((a, b) => (most ? Math.max(a, b) : Math.min(a, b)));
    }) as [number, number, number];
  return { minM: axis(({ minM }) => minM, false), maxM: axis(({ maxM }) => maxM, true) };
}

function minOf(a: bigint | null, b: bigint): bigint {
  return a === null || b < a ? b : a;
}

function maxOf(a: bigint | null, b: bigint): bigint {
  return a === null || b > a ? b : a;
}
