// Comparison of scans: metrics, returns by class, and histograms on common bins.
import { mean, median, standardDeviation } from '#domain/shared/statistics.ts';
import { rangeErrors } from './scanColours.ts';
import type { ScanTable } from './scanTable.ts';

export interface ScanStatistics {
  returns: number;
  meanRangeM: number;
  medianRangeM: number;
  meanIntensity: number;
  /** Returns that a part of the beam makes, the rest of it goes elsewhere: share below 1. */
  mixed: number;
  /** By class, in the classes' order. */
  ofClass: number[];
  /** Reported less clean: mean and standard deviation. */
  meanErrorM: number;
  sigmaErrorM: number;
}

/** Shares are sums of nine ninths in f32: this much below 1 is 1. */
const wholeShare = 1 - 1e-4;

export function scanStatistics(table: ScanTable, classes: number): ScanStatistics {
  const { rows, rangeM, intensity, beamShare, classId } = table;
  const errors = rangeErrors(table);
  const ofClass = new Array<number>(classes).fill(0);
  for (const id of classId) if (id < classes) ofClass[id] = (ofClass[id] ?? 0) + 1;
  return {
    returns: rows,
    meanRangeM: mean(rangeM),
    medianRangeM: median(rangeM),
    meanIntensity: mean(intensity),
    mixed: beamShare.reduce((count, share) => count + (share < wholeShare ? 1 : 0), 0),
    ofClass,
    meanErrorM: mean(errors),
    sigmaErrorM: standardDeviation(errors),
  };
}

/** How many values lie in each of so many equal bins; the last one holds its upper end too. */
export function binsOf(
  values: ArrayLike<number>,
  from: number,
  to: number,
  count: number,
): number[] {
  const counts = new Array<number>(count).fill(0);
  for (let row = 0; row < values.length; row += 1) {
    const value = values[row] ?? NaN;
    if (!(value >= from && value <= to)) continue;
    const bin = Math.min(Math.floor(((value - from) / (to - from)) * count), count - 1);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}
