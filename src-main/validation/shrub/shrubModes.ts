// Modes of the ranges from a shrub, and of what kind the returns about them are by ground truth.
import { binCentre, histogramOf, modesOf, type Histogram } from '#domain/metrics/histogram.ts';
import type { ShrubReturns } from './shrubScene.ts';

/** Width of a histogram's bin. */
export const binM = 0.02;
/**
 * Two modes: this far apart, the valley at most this share of the lower, which has at least this share of the higher.
 * Why the last: without it ten returns of a tail make a mode.
 */
export const rule = { apart: 0.1, valleyShare: 0.8, minShare: 0.2 };

/** Statistics of a plant's returns. */
export interface Individual {
  seed: number;
  /** One-sided, m² in 1 m³ of the crown. */
  leafAreaDensity: number;
  returns: ShrubReturns;
  modesM: number[];
  valleyRatio: number;
  /** From the tenth to the ninetieth hundredth of the ranges. */
  spanM: number;
  /** Among the returns about the farther mode, the share from wood within the crown; 0 with one mode. */
  woodShare: number;
  woodThroughLeaves: number;
  /** Number of modes of the same leaves without trunk and stems. */
  modesWithoutStems: number;
}

/** `leavesAlone`: of the same plant without trunk and stems. */
export function individualOf(
  seed: number,
  leafAreaDensity: number,
  returns: ShrubReturns,
  leavesAlone: ShrubReturns,
): Individual {
  const histogram = histogramOf(returns.rangesM, binM);
  const { bins, valleyBin, valleyRatio } = modesOf(histogram, rule);
  const farther = bins[1];
  const content =
    farther === undefined ? null : contentOf(farther, valleyBin ?? 0, histogram, returns);
  const sorted = returns.rangesM.toSorted();
  const quantile = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? NaN;
  return {
    seed,
    leafAreaDensity,
    returns,
    modesM: bins.map((bin) => Number(binCentre(histogram, bin).toFixed(3))),
    valleyRatio,
    spanM: quantile(0.9) - quantile(0.1),
    woodShare: content?.woodShare ?? 0,
    woodThroughLeaves: content?.woodThroughLeaves ?? 0,
    modesWithoutStems: modesOf(histogramOf(leavesAlone.rangesM, binM), rule).bins.length,
  };
}

/**
 * The returns in the bins about a mode, behind the valley before it, in which at least half of its returns above the
 * valley lie.
 */
function contentOf(
  mode: number,
  valleyBin: number,
  histogram: Histogram,
  returns: ShrubReturns,
): { woodShare: number; woodThroughLeaves: number } {
  const { counts, from, width } = histogram;
  const half = ((counts[mode] ?? 0) + (counts[valleyBin] ?? 0)) / 2;
  let [first, last] = [mode, mode];
  while ((counts[first - 1] ?? 0) >= half && first - 1 > valleyBin) first -= 1;
  while ((counts[last + 1] ?? 0) >= half) last += 1;
  const [fromM, toM] = [from + first * width, from + (last + 1) * width];
  let [all, wood, through] = [0, 0, 0];
  for (const [row, rangeM] of returns.rangesM.entries()) {
    if (rangeM < fromM || rangeM >= toM) continue;
    all += 1;
    if (returns.isLeaf[row] === true) continue;
    wood += 1;
    if (returns.isInCrown[row] === true) through += 1;
  }
  return { woodShare: wood / all, woodThroughLeaves: through / all };
}
