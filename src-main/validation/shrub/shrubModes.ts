// Modes of the ranges from a shrub, and of what kind the returns about them are by ground truth.
import { binCentre, histogramOf, modesOf, type Histogram } from '#domain/metrics/histogram.ts';
import type { ShrubReturns } from './shrubScene.ts';

/** Width of a histogram's bin. */
export const binM = 0.02;
/** Two modes: this far apart, the valley at most this share of the lower, which is no scatter of a tail. */
export const rule = { apart: 0.1, valleyShare: 0.8, minShare: 0.2 };

/** Statistics of a shrub's returns. */
export interface Findings {
  modesM: number[];
  valleyRatio: number;
  /** At the nearer mode. */
  leafShare: number;
  /** At the farther mode. */
  woodShare: number;
  /** On their mode's side of the valley. */
  leafSideShare: number;
  woodSideShare: number;
}

/** A plant of the same file. */
export interface Individual {
  seed: number;
  found: Findings;
}

/** Shares are 0 where there is one mode only. */
export function findingsOf(returns: ShrubReturns): Findings {
  const histogram = histogramOf(returns.rangesM, binM);
  const { bins, valleyBin, valleyRatio } = modesOf(histogram, rule);
  const modesM = bins.map((bin) => Number(binCentre(histogram, bin).toFixed(3)));
  const none = { leafShare: 0, woodShare: 0, leafSideShare: 0, woodSideShare: 0 };
  const [nearer, farther] = bins.map((bin) => contentOf(bin, histogram, returns));
  if (valleyBin === null || nearer === undefined || farther === undefined) {
    return { modesM, valleyRatio, ...none };
  }
  const valleyM = binCentre(histogram, valleyBin);
  return {
    modesM,
    valleyRatio,
    leafShare: nearer.leafShare,
    woodShare: 1 - farther.leafShare,
    leafSideShare: sideShare(returns, true, valleyM),
    woodSideShare: sideShare(returns, false, valleyM),
  };
}

/** The bins about a mode in which at least half as many lie, and what they hold. */
interface ModeContent {
  fromM: number;
  toM: number;
  leafShare: number;
}

function contentOf(mode: number, histogram: Histogram, returns: ShrubReturns): ModeContent {
  const { counts, from, width } = histogram;
  const half = (counts[mode] ?? 0) / 2;
  let [first, last] = [mode, mode];
  while ((counts[first - 1] ?? 0) >= half && first > 0) first -= 1;
  while ((counts[last + 1] ?? 0) >= half) last += 1;
  const [fromM, toM] = [from + first * width, from + (last + 1) * width];
  let [leaves, all] = [0, 0];
  for (const [row, rangeM] of returns.rangesM.entries()) {
    if (rangeM < fromM || rangeM >= toM) continue;
    all += 1;
    if (returns.isLeaf[row] === true) leaves += 1;
  }
  return { fromM, toM, leafShare: leaves / all };
}

/** Share of the returns of one kind that lie on its mode's side of the valley. */
function sideShare({ rangesM, isLeaf }: ShrubReturns, ofLeaves: boolean, valleyM: number): number {
  const own = rangesM.filter((_, row) => isLeaf[row] === ofLeaves);
  return own.filter((rangeM) => rangeM < valleyM === ofLeaves).length / own.length;
}
