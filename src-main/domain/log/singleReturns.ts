// Keeps one return of a pulse with several in the cloud of another program: points of one laser at one time in one
// direction.
import type { LogReturn, LogTable } from '#contract/log/log.ts';
import { rowNumbers } from '#domain/shared/filledArrays.ts';
import { selectBeams, timeOrder } from './beamTable.ts';

/** Directions of one pulse agree better than this: points of LAS files are rounded to a centimetre. */
const sameDirection = 1e-3;
/** More beams at one time than this are a time of the cloud, not of the pulse. */
const maxAtOnce = 1024;

/** The beams, in time order where some were left out. */
export function keepOneReturn(
  table: LogTable,
  beams: number,
  returns: LogReturn,
): { table: LogTable; beams: number } {
  const order = timeOrder(table, beams) ?? rowNumbers(beams);
  const timeOf = (at: number): bigint => table.time_ns[order[at] ?? 0] ?? 0n;
  const kept = new Uint32Array(beams);
  let count = 0;
  for (let from = 0; from < beams;) {
    let to = from + 1;
    const timeNs = timeOf(from);
    while (to < beams && timeOf(to) === timeNs) to++;
    const start = count;
    for (let at = from; at < to; at++) {
      const beam = order[at] ?? 0;
      const same = to - from > maxAtOnce ? -1 : pulseOf(table, kept, start, count, beam);
      if (same < 0) kept[count++] = beam;
      else if (isBetter(table, returns, beam, kept[same] ?? 0)) kept[same] = beam;
    }
    from = to;
  }
  if (count === beams) return { table, beams };
  return { table: selectBeams(table, kept.subarray(0, count)), beams: count };
}

/** Where `kept` has a beam of the same pulse; -1: nowhere. */
function pulseOf(
  table: LogTable,
  kept: Uint32Array,
  start: number,
  end: number,
  beam: number,
): number {
  for (let at = start; at < end; at++) {
    const other = kept[at] ?? 0;
    if (table.laser[other] !== table.laser[beam]) continue;
    const apart = Math.hypot(
      (table.direction_x[other] ?? 0) - (table.direction_x[beam] ?? 0),
      (table.direction_y[other] ?? 0) - (table.direction_y[beam] ?? 0),
      (table.direction_z[other] ?? 0) - (table.direction_z[beam] ?? 0),
    );
    if (apart < sameDirection) return at;
  }
  return -1;
}

function isBetter(
  { range_m, intensity }: LogTable,
  returns: LogReturn,
  beam: number,
  other: number,
): boolean {
  if (returns === 'strongest') return (intensity[beam] ?? 0) > (intensity[other] ?? 0);
  const isFarther = (range_m[beam] ?? 0) > (range_m[other] ?? 0);
  return returns === 'last' ? isFarther : !isFarther;
}
