// A plot from its areas and gap fractions: leaf area index, effective indices (Miller 1967) and clumping by zenith angle
// (Nilson 1971). PHYSICS.md, 2.13.
import type { PlotSummary } from '#contract/host/truthMethods.ts';
import type { WorkerReply } from '#contract/worker/workerMethods.ts';
import { radians } from '#domain/shared/numbers.ts';

/** Values by zenith angle: the middles of as many equal parts of a right angle. */
export interface PlotMeasurement {
  groundAreaM2: number;
  raysPerZenith: number;
  leafAreaM2: number;
  woodAreaM2: number;
  /** Σ area · |cos of normal and beam|. */
  leafShownM2: ArrayLike<number>;
  woodShownM2: ArrayLike<number>;
  gapFraction: ArrayLike<number>;
  leafGapFraction: ArrayLike<number>;
}

/** As the worker measured a plot in a grid of one voxel's height and by rays. */
export function measuredPlot(
  groundAreaM2: number,
  grid: WorkerReply<'truth.voxels'>,
  gaps: WorkerReply<'truth.gaps'>,
): PlotMeasurement {
  return {
    groundAreaM2,
    raysPerZenith: gaps.body.raysPerZenith,
    leafAreaM2: grid.body.leafAreaM2,
    woodAreaM2: grid.body.woodAreaM2,
    leafShownM2: grid.columns.leaf_shown_m2,
    woodShownM2: grid.columns.wood_shown_m2,
    gapFraction: gaps.columns.gap_fraction,
    leafGapFraction: gaps.columns.leaf_gap_fraction,
  };
}

/** Fewer rays that pass say nothing of the logarithm of their share. */
const minPassing = 30;

export function plotSummary(plot: PlotMeasurement): PlotSummary {
  const { groundAreaM2, raysPerZenith, leafAreaM2, woodAreaM2 } = plot;
  const steps = plot.gapFraction.length;
  const zenithsDeg = Array.from({ length: steps }, (_, step) => ((step + 0.5) * 90) / steps);
  const zenithsRad = zenithsDeg.map(radians);
  // A closed surface shows half of what its facets show.
  const plantShown = Array.from(plot.leafShownM2, (leaf, step) => {
    return leaf + 0.5 * (plot.woodShownM2[step] ?? 0);
  });
  const gaps = { zenithsRad, raysPerZenith, groundAreaM2 };
  const ofAll = contactsOf(plot.gapFraction, gaps);
  const ofLeaves = contactsOf(plot.leafGapFraction, gaps);
  return {
    groundAreaM2,
    raysPerZenith,
    leafAreaIndex: leafAreaM2 / groundAreaM2,
    plantAreaIndex: (leafAreaM2 + 0.5 * woodAreaM2) / groundAreaM2,
    effectiveLeafAreaIndex: millerIndex(ofLeaves, zenithsRad),
    effectivePlantAreaIndex: millerIndex(ofAll, zenithsRad),
    zeniths: zenithsDeg.map((zenithDeg, step) => ({
      zenithDeg,
      gapFraction: plot.gapFraction[step] ?? NaN,
      leafGapFraction: plot.leafGapFraction[step] ?? NaN,
      clumping: ratio(ofAll[step], (plantShown[step] ?? 0) / groundAreaM2),
      leafClumping: ratio(ofLeaves[step], (plot.leafShownM2[step] ?? 0) / groundAreaM2),
    })),
  };
}

/** Contacts of a vertical path of the same length, −ln P · cos θ; null where too few rays pass. */
function contactsOf(
  shares: ArrayLike<number>,
  { zenithsRad, raysPerZenith }: { zenithsRad: number[]; raysPerZenith: number },
): (number | null)[] {
  return zenithsRad.map((zenith, step) => {
    const share = shares[step] ?? 0;
    if (share * raysPerZenith < minPassing) return null;
    return share < 1 ? -Math.log(share) * Math.cos(zenith) : 0;
  });
}

/** 2·∫ −ln P · cos θ · sin θ dθ; angles at which too few rays pass have the contacts of the last one before. */
function millerIndex(contacts: readonly (number | null)[], zenithsRad: readonly number[]): number {
  let last = NaN;
  let sum = 0;
  let weights = 0;
  for (const [step, zenith] of zenithsRad.entries()) {
    last = contacts[step] ?? last;
    const weight = Math.sin(zenith);
    sum += last * weight;
    weights += weight;
  }
  return (2 * sum) / weights;
}

function ratio(contacts: number | null | undefined, shown: number): number | null {
  return contacts === null || contacts === undefined || !(shown > 0) ? null : contacts / shown;
}
