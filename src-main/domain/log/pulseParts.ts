// One row a pulse, or all returns of each: then a beam is a part of a pulse, and the rest of a pulse, of which nothing
// returned, is one more part.
import type { LogReturns } from '#contract/log/log.ts';

export interface PulseRows {
  rows: number;
  /** Whether a row and the next are of one pulse. */
  isSamePulse: (before: number, after: number) => boolean;
  intensityOf: (row: number) => number;
  isReturn: (row: number) => boolean;
  /** Share of the pulse's beam behind a return; NaN where it is not known: all that is left. */
  shareOf: (row: number) => number;
}

export interface PulseParts {
  /** The row of each beam. */
  rows: number[];
  /** The share of its pulse that each beam is; null: beams are whole pulses. */
  shares: number[] | null;
  /** Whether a beam is the rest of a pulse that has returns. */
  isRest: (beam: number) => boolean;
}

/** A rest below this is an error of sums in single precision. */
const minRest = 1e-4;

/** Rows of one pulse follow each other. */
export function pulseParts(pulses: PulseRows, returns: LogReturns): PulseParts {
  const chosen: number[] = [];
  const shares: number[] = [];
  const rests = new Set<number>();
  for (let row = 0; row < pulses.rows;) {
    let end = row + 1;
    while (end < pulses.rows && pulses.isSamePulse(end - 1, end)) end++;
    if (returns !== 'all') chosen.push(bestRow(pulses, row, end, returns));
    else {
      let rest = 1;
      for (let part = row; part < end; part++) {
        const share = pulses.isReturn(part) ? Math.min(rest, orWhole(pulses.shareOf(part))) : 0;
        if (!(share > 0)) continue;
        chosen.push(part);
        shares.push(share);
        rest -= share;
      }
      if (rest > minRest) {
        if (rest < 1) rests.add(chosen.length);
        chosen.push(row);
        shares.push(rest);
      }
    }
    row = end;
  }
  const isRest = (beam: number): boolean => rests.has(beam);
  return { rows: chosen, shares: returns === 'all' ? shares : null, isRest };
}

function orWhole(share: number): number {
  return Number.isNaN(share) ? 1 : share;
}

function bestRow(
  { intensityOf }: PulseRows,
  from: number,
  end: number,
  returns: LogReturns,
): number {
  let best = returns === 'last' ? end - 1 : from;
  for (let other = from + 1; other < end && returns === 'strongest'; other++) {
    if (intensityOf(other) > intensityOf(best)) best = other;
  }
  return best;
}
