// Durations of something that happens again and again, stored as counts in steps of 2 %, so that memory does
// not grow with their number.
export interface DurationMetrics {
  count: number;
  /** Milliseconds, exact to 1 %; 0 where nothing was counted. */
  medianMs: number;
  p95Ms: number;
  maxMs: number;
}

export interface Durations {
  add(seconds: number): void;
  metrics(): DurationMetrics;
}

const shortestS = 1e-6;
const step = Math.log(1.02);
/** Up to two minutes. */
const bins = 940;

export function createDurations(): Durations {
  const counts = new Uint32Array(bins);
  let count = 0;
  let maxS = 0;
  /** The middle of the bin in which that share of the durations is reached. */
  const quantileMs = (share: number): number => {
    let left = Math.ceil(share * count);
    for (let bin = 0; bin < bins && count > 0; bin += 1) {
      left -= counts[bin] as number;
      if (left <= 0) return 1000 * Math.min(maxS, shortestS * Math.exp((bin + 0.5) * step));
    }
    return 0;
  };
  return {
    add(seconds) {
      const bin = Math.floor(Math.log(Math.max(seconds, shortestS) / shortestS) / step);
      const kept = Math.min(bins - 1, bin);
      counts[kept] = (counts[kept] as number) + 1;
      count += 1;
      maxS = Math.max(maxS, seconds);
    },
    metrics: () => ({
      count,
      medianMs: quantileMs(0.5),
      p95Ms: quantileMs(0.95),
      maxMs: 1000 * maxS,
    }),
  };
}
