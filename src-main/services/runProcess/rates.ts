// How fast a run goes at the moment: over the last two seconds or so of wall time, pauses left out.
export interface RunMark {
  wallS: number;
  simS: number;
  points: number;
}

export interface Rates {
  add(mark: RunMark): void;
  metrics(): { realTimeFactor: number | null; pointsPerSimS: number | null };
}

const windowS = 2;

/** Rates of a run that begins now, with nothing simulated yet. */
export function createRates(): Rates {
  let marks: RunMark[] = [{ wallS: 0, simS: 0, points: 0 }];
  return {
    add(mark) {
      marks.push(mark);
      // Why the first of them may be older: the rate is over a window, never over nothing.
      const from = marks.findLastIndex(({ wallS }) => wallS <= mark.wallS - windowS);
      if (from > 0) marks = marks.slice(from);
    },
    metrics() {
      const [first, last] = [marks[0], marks.at(-1)];
      const wallS = (last?.wallS ?? 0) - (first?.wallS ?? 0);
      const simS = (last?.simS ?? 0) - (first?.simS ?? 0);
      const points = (last?.points ?? 0) - (first?.points ?? 0);
      return {
        realTimeFactor: wallS > 0 ? simS / wallS : null,
        pointsPerSimS: simS > 0 ? points / simS : null,
      };
    },
  };
}
