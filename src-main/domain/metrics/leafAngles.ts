// Laws of leaf angles: the angle θ of a leaf's normal to the vertical, on [0, π/2], with the azimuth uniform, and the
// mean projection G(β) of one-sided leaf area on a plane across rays of zenith angle β (Ross 1981; de Wit 1965).

import type { LeafAngleName } from '#contract/documents/plant.ts';

/** Density of θ, 1/rad, and its integral from 0. */
export interface LeafAngleLaw {
  name: LeafAngleName;
  density: (thetaRad: number) => number;
  cumulative: (thetaRad: number) => number;
}

const share = 2 / Math.PI;

/** Spherical, planophile, erectophile, plagiophile, uniform. */
export const leafAngleLaws: readonly LeafAngleLaw[] = [
  {
    name: 'spherical',
    density: (theta) => Math.sin(theta),
    cumulative: (theta) => 1 - Math.cos(theta),
  },
  {
    name: 'planophile',
    density: (theta) => share * (1 + Math.cos(2 * theta)),
    cumulative: (theta) => share * (theta + Math.sin(2 * theta) / 2),
  },
  {
    name: 'erectophile',
    density: (theta) => share * (1 - Math.cos(2 * theta)),
    cumulative: (theta) => share * (theta - Math.sin(2 * theta) / 2),
  },
  {
    name: 'plagiophile',
    density: (theta) => share * (1 - Math.cos(4 * theta)),
    cumulative: (theta) => share * (theta - Math.sin(4 * theta) / 4),
  },
  { name: 'uniform', density: () => share, cumulative: (theta) => share * theta },
];

/**
 * The angle below which the share `u` (0 to 1) of the leaves has its own: the inverse of `cumulative`, by bisection.
 */
export function leafAngleAt({ cumulative }: LeafAngleLaw, u: number): number {
  let [from, to] = [0, Math.PI / 2];
  // 50 halvings of π/2: 1e-15.
  for (let step = 0; step < 50; step += 1) {
    const middle = (from + to) / 2;
    if (cumulative(middle) < u) from = middle;
    else to = middle;
  }
  return (from + to) / 2;
}

/** G(β) = ∫ g(θ)·A(β, θ) dθ, 0 to 1: Simpson's rule over 2,000 pieces, to 1e-6. */
export function meanProjection({ density }: LeafAngleLaw, zenithRad: number): number {
  const pieces = 2000;
  const step = Math.PI / 2 / pieces;
  let sum = 0;
  for (let n = 0; n <= pieces; n += 1) {
    const weight = n === 0 || n === pieces ? 1 : n % 2 === 1 ? 4 : 2;
    sum += weight * density(n * step) * projection(zenithRad, n * step);
  }
  return (sum * step) / 3;
}

/** Mean of |n·d| over azimuths: cos β·cos θ where the leaf shows one side only, otherwise more. */
function projection(zenithRad: number, thetaRad: number): number {
  const level = Math.cos(zenithRad) * Math.cos(thetaRad);
  if (zenithRad + thetaRad <= Math.PI / 2) return level;
  const across = Math.sin(zenithRad) * Math.sin(thetaRad);
  const psi = Math.acos(Math.min(1, level / across));
  // cos β·cos θ·[1 + (2/π)(tan ψ − ψ)], without the division of 0 by 0 at β or θ of 90°.
  return level * (1 - share * psi) + share * Math.sqrt(Math.max(0, across ** 2 - level ** 2));
}
