// The firing pattern of a turning sensor, learned from its own clouds: each laser fires at even times.
import { unknownLaser } from '#contract/log/log.ts';
import { wrapAngle } from '#domain/shared/numbers.ts';
import { rowNumbers } from '#domain/shared/filledArrays.ts';

/** The times at which a laser fires, and its direction. */
export interface LaserFiring {
  periodNs: number;
  elevationRad: number;
  /** Azimuth beyond that of the reference laser at the same time. */
  azimuthOffsetRad: number;
  /** Time after a firing of the reference laser; null: the two have other periods. */
  phaseNs: number | null;
}

export interface FiringPattern {
  /** By laser; null: too few returns, or none at even times. */
  lasers: (LaserFiring | null)[];
  reference: number;
  /** Counter-clockwise is positive. */
  turnRadPerNs: number;
  firingsPerTurn: number;
  turnsPerS: number;
}

/** Points from which the pattern is learned. */
export interface PatternSample {
  points: number;
  xM: Float64Array;
  yM: Float64Array;
  zM: Float64Array;
  laser: Float64Array | Uint16Array | null;
  timeNs: Float64Array | null;
}

/** Returns of one laser in one cloud, by time. */
export interface Firings {
  timesNs: number[];
  azimuthsRad: number[];
  elevationsRad: number[];
}

/** Fewer steps between returns than this give no period. */
const minSteps = 20;
/** Distance of a step from a whole number of periods, in periods, and the share of steps within it. */
const maxResidue = 0.12;
const minRegular = 0.9;

/** Null: there are no times or lasers, or no even ones. */
export function learnPattern(samples: readonly PatternSample[]): FiringPattern | null {
  const clouds = samples.map(firingsOf);
  const count = clouds.reduce((most, lasers) => Math.max(most, lasers.length), 0);
  const reference = densest(clouds, count);
  if (reference < 0) return null;
  const turnRadPerNs = turnRate(clouds, reference);
  if (!Number.isFinite(turnRadPerNs) || turnRadPerNs === 0) return null;
  const periods = Array.from({ length: count }, (_, laser) => periodOf(clouds, laser));
  const periodNs = periods[reference] ?? null;
  if (periodNs === null) return null;
  const lasers = periods.map((own, laser) =>
    own === null
      ? null
      : { periodNs: own, ...offsetsOf(clouds, laser, reference, turnRadPerNs, own, periodNs) },
  );
  const turnNs = (2 * Math.PI) / Math.abs(turnRadPerNs);
  return {
    lasers,
    reference,
    turnRadPerNs,
    firingsPerTurn: turnNs / periodNs,
    turnsPerS: 1e9 / turnNs,
  };
}

function firingsOf({ points, xM, yM, zM, laser, timeNs }: PatternSample): Firings[] {
  const lasers: Firings[] = [];
  if (laser === null || timeNs === null) return lasers;
  const rows = rowNumbers(points);
  rows.sort((a, b) => (timeNs[a] ?? 0) - (timeNs[b] ?? 0));
  for (const row of rows) {
    const [x = NaN, y = NaN, z = NaN] = [xM[row], yM[row], zM[row]];
    const number = laser[row] ?? unknownLaser;
    if (number === unknownLaser || !Number.isFinite(x + y + z) || (x === 0 && y === 0)) continue;
    const own = (lasers[number] ??= { timesNs: [], azimuthsRad: [], elevationsRad: [] });
    own.timesNs.push(timeNs[row] ?? 0);
    own.azimuthsRad.push(Math.atan2(y, x));
    own.elevationsRad.push(Math.atan2(z, Math.hypot(x, y)));
  }
  return lasers;
}

function densest(clouds: readonly Firings[][], count: number): number {
  let [best, most] = [-1, minSteps];
  for (let laser = 0; laser < count; laser++) {
    const returns = clouds.reduce((sum, lasers) => sum + (lasers[laser]?.timesNs.length ?? 0), 0);
    if (returns > most) [best, most] = [laser, returns];
  }
  return best;
}

function stepsOf(
  clouds: readonly Firings[][],
  laser: number,
): { stepNs: number; turnRad: number }[] {
  return clouds.flatMap((lasers) => {
    const { timesNs = [], azimuthsRad = [] } = lasers[laser] ?? {};
    return timesNs.slice(1).flatMap((timeNs, at) => {
      const stepNs = timeNs - (timesNs[at] ?? 0);
      const turnRad = wrapAngle((azimuthsRad[at + 1] ?? 0) - (azimuthsRad[at] ?? 0));
      return stepNs > 0 ? [{ stepNs, turnRad }] : [];
    });
  });
}

function turnRate(clouds: readonly Firings[][], laser: number): number {
  const rates = stepsOf(clouds, laser).map(({ stepNs, turnRad }) => turnRad / stepNs);
  return quantile(rates, 0.5);
}

/** Null: the steps between returns are no multiples of one time. */
function periodOf(clouds: readonly Firings[][], laser: number): number | null {
  const steps = stepsOf(clouds, laser).map(({ stepNs }) => stepNs);
  if (steps.length < minSteps) return null;
  const shortest = quantile(steps, 0.2);
  const near = steps.filter((step) => Math.abs(step / shortest - 1) < maxResidue);
  const periodNs = near.reduce((sum, step) => sum + step, 0) / near.length;
  const regular = steps.filter((step) => {
    const periods = step / periodNs;
    return Math.abs(periods - Math.round(periods)) < maxResidue * Math.max(1, periods / 50);
  });
  return regular.length >= minRegular * steps.length ? periodNs : null;
}

function offsetsOf(
  clouds: readonly Firings[][],
  laser: number,
  reference: number,
  turnRadPerNs: number,
  ownNs: number,
  periodNs: number,
): Pick<LaserFiring, 'elevationRad' | 'azimuthOffsetRad' | 'phaseNs'> {
  const elevations = clouds.flatMap((lasers) => lasers[laser]?.elevationsRad ?? []);
  const azimuths: number[] = [];
  const phases: number[] = [];
  for (const lasers of clouds) {
    const [own, other] = [lasers[laser], lasers[reference]];
    if (own === undefined || other === undefined) continue;
    for (const [at, timeNs] of own.timesNs.entries()) {
      if (at % 8 !== 0) continue;
      const near = nearestIndex(other.timesNs, timeNs);
      const sinceNs = timeNs - (other.timesNs[near] ?? 0);
      const expected = (other.azimuthsRad[near] ?? 0) + turnRadPerNs * sinceNs;
      azimuths.push(wrapAngle((own.azimuthsRad[at] ?? 0) - expected));
      phases.push(sinceNs - periodNs * Math.floor(sinceNs / periodNs + 0.5));
    }
  }
  const isAlike = Math.abs(ownNs / periodNs - 1) < 1e-3;
  return {
    elevationRad: quantile(elevations, 0.5),
    azimuthOffsetRad: azimuths.length === 0 ? 0 : quantile(azimuths, 0.5),
    phaseNs: isAlike && phases.length > 0 ? quantile(phases, 0.5) : null,
  };
}

/** Index of the nearest of ascending values. */
export function nearestIndex(values: readonly number[], value: number): number {
  let [low, high] = [0, values.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) <= value) low = middle;
    else high = middle;
  }
  return Math.abs(value - (values[low] ?? 0)) <= Math.abs((values[high] ?? 0) - value) ? low : high;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}
