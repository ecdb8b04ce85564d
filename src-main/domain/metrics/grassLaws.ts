// Laws for the range of a pulse in a stand of Poisson stems, as functions of x, the depth behind the edge
// (Goodin 2018, section 3.4.1; PHYSICS.md, 4.3). All are whole laws, not cut at the stand's far edge.
import { incompleteGammaRatio, lnGamma } from './gammaFunction.ts';

/** A stand of stems and the beam that looks into it. */
export interface GrassStand {
  /** λ. */
  densityPerM2: number;
  /** d. */
  diameterM: number;
  /** D, from the sensor to the edge. */
  distanceM: number;
  /** γ, full angle. */
  divergenceRad: number;
}

export interface Law {
  /** Density in 1/m. */
  pdf: (xM: number) => number;
  cdf: (xM: number) => number;
}

/** λd·exp(−λd·x): a beam without width. */
export function exponentialLaw({ densityPerM2, diameterM }: GrassStand): Law {
  const rate = densityPerM2 * diameterM;
  return behindEdge(
    (xM) => rate * Math.exp(-rate * xM),
    (xM) => 1 - Math.exp(-rate * xM),
  );
}

/** Goodin 2018, eq. 4 and 5: α = 1 + γD², rate αλd. */
export function gammaLaw(stand: GrassStand): Law {
  const shape = 1 + stand.divergenceRad * stand.distanceM ** 2;
  const rate = shape * stand.densityPerM2 * stand.diameterM;
  return behindEdge(
    (xM) =>
      Math.exp((shape - 1) * Math.log(xM) + shape * Math.log(rate) - rate * xM - lnGamma(shape)),
    (xM) => incompleteGammaRatio(shape, rate * xM),
  );
}

/**
 * Macedo et al. 2000 as in Goodin 2018, eq. 2 and 3, corrected: (r + D)/2 for the printed (r + D)²/2, with which
 * it integrates to 1. a = 2·tan(γ/2).
 */
export function macedoLaw(stand: GrassStand): Law {
  const { densityPerM2, diameterM, distanceM, divergenceRad } = stand;
  const rate = densityPerM2 * diameterM;
  const a = 2 * Math.tan(divergenceRad / 2);
  const beyond = (xM: number): number =>
    Math.exp(-rate * xM * (1 + (a * (xM + 2 * distanceM)) / 2));
  return behindEdge(
    (xM) => rate * (1 + a * (xM + distanceM)) * beyond(xM),
    (xM) => 1 - beyond(xM),
  );
}

/** Nearest touch of a wedge on Poisson stems: 1 − exp(−λ[d(R − D) + γ(R² − D²)/2]), R to the axis. */
export function exactLaw(stand: GrassStand): Law {
  const { densityPerM2, diameterM, distanceM, divergenceRad } = stand;
  const beyond = (xM: number): number => {
    const widened = (divergenceRad * xM * (xM + 2 * distanceM)) / 2;
    return Math.exp(-densityPerM2 * (diameterM * xM + widened));
  };
  return behindEdge(
    (xM) => densityPerM2 * (diameterM + divergenceRad * (xM + distanceM)) * beyond(xM),
    (xM) => 1 - beyond(xM),
  );
}

/** Nothing is met before the edge. */
function behindEdge(pdf: Law['pdf'], cdf: Law['cdf']): Law {
  return { pdf: (xM) => (xM > 0 ? pdf(xM) : 0), cdf: (xM) => (xM > 0 ? cdf(xM) : 0) };
}
