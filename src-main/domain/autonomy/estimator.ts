// Where the vehicle is, from GPS and compass alone: a Kalman filter on position and forward speed (a skid-
// steer moves along its heading) and one on each angle. Gives the pose at any time of the present tick, so
// that every pulse is registered at its own time.
import type { Pose } from '#contract/host/run.ts';
import type { Vehicle } from '#contract/documents/scenario.ts';
import { quaternionOf, type Attitude } from '#domain/shared/pose.ts';
import { radians, squared, wrapAngle } from '#domain/shared/numbers.ts';
import { createAngleFilter } from './angleFilter.ts';
import type { CompassReading, GpsFix, MotionEstimate } from './signals.ts';

export interface Estimate extends Attitude {
  xM: number;
  yM: number;
  zM: number;
  /** Along the heading, forwards positive. */
  speedMPerS: number;
  yawRateRadPerS: number;
}

/** Standard deviations that the estimator states of itself. */
export interface EstimateSigma {
  /** Standard deviation of x and of y. */
  positionM: number;
  headingRad: number;
  /** Standard deviation of roll and of pitch. */
  tiltRad: number;
}

interface Knot {
  timeNs: number;
  estimate: Estimate;
}

export interface Estimator {
  /** Takes the readings of one tick, in any order; afterwards the estimate is that of `untilNs`. */
  advance(gps: GpsFix[], compass: CompassReading[], untilNs: number): void;
  /** False until both a fix and a reading have come. */
  isReady(): boolean;
  /** At a time within the last tick, or shortly after it. */
  at(timeNs: number): Estimate;
  sigma(): EstimateSigma;
  /** The speeds at the end of the last tick, and the covariances that the filters state. */
  motion(): MotionEstimate;
}

// How lively the vehicle is, as spectral densities: the acceleration changes by about 1 m/s² for half a
// second; a turn begins within a third of a second; the ground tilts slowly.
const speedDensity = 0.5; // m²/s³
const headingDensity = 0.05; // rad²/s³
const tiltDensity = 0.002; // rad²/s³
const positionDensity = 4e-4; // m²/s: what heading errors add
const heightDensity = 2.5e-3; // m²/s: what pitch errors and bumps add

/** An estimator for the noise of the vehicle's instruments. */
export function createEstimator(vehicle: Vehicle): Estimator {
  // A perfect instrument would make the filter trust nothing else: a millimetre and a tenth of a mrad.
  const gpsVariance = squared(Math.max(vehicle.gps.sigmaM, 1e-3));
  const angleSigmaRad = Math.max(radians(vehicle.compass.sigmaDeg), 1e-4);
  const heading = createAngleFilter(angleSigmaRad, headingDensity);
  const roll = createAngleFilter(angleSigmaRad, tiltDensity);
  const pitch = createAngleFilter(angleSigmaRad, tiltDensity);
  const place = createPlaceFilter(gpsVariance);
  let hasFix = false;
  let hasReading = false;
  let timeNs = 0;
  let knots: Knot[] = [];

  const predictTo = (nextNs: number): void => {
    const dtS = (nextNs - timeNs) / 1e9;
    timeNs = nextNs;
    if (dtS <= 0) return;
    if (hasFix) {
      const middleRad = heading.angleRad + (heading.rateRadPerS * dtS) / 2;
      place.predict(dtS, middleRad, pitch.angleRad);
    }
    for (const filter of [heading, roll, pitch]) filter.predict(dtS);
  };
  const now = (): Estimate => ({
    ...place.state(),
    yawRad: wrapAngle(heading.angleRad),
    rollRad: roll.angleRad,
    pitchRad: pitch.angleRad,
    yawRateRadPerS: heading.rateRadPerS,
  });

  return {
    advance(gps, compass, untilNs) {
      knots = knots.slice(-1);
      const readings = [
        ...compass.map((reading) => ({ timeNs: reading.timeNs, reading, fix: null })),
        ...gps.map((fix) => ({ timeNs: fix.timeNs, reading: null, fix })),
      ].sort((a, b) => a.timeNs - b.timeNs);
      for (const { timeNs: atNs, reading, fix } of readings) {
        predictTo(atNs);
        if (reading) {
          heading.update(reading.headingRad);
          roll.update(reading.rollRad);
          pitch.update(reading.pitchRad);
          hasReading = true;
        }
        if (fix) {
          place.update(fix.positionM);
          hasFix = true;
        }
        if (!hasFix || !hasReading) continue;
        if (knots.at(-1)?.timeNs === atNs) knots.pop();
        knots.push({ timeNs: atNs, estimate: now() });
      }
      predictTo(untilNs);
    },
    isReady: () => hasFix && hasReading,
    at(atNs) {
      let after = 0;
      while (after < knots.length && (knots[after] as Knot).timeNs < atNs) after += 1;
      const next = knots[after];
      const previous = knots[after - 1];
      if (next && previous) {
        const share = (atNs - previous.timeNs) / (next.timeNs - previous.timeNs);
        return between(previous.estimate, next.estimate, share);
      }
      const knot = previous ?? next;
      if (!knot) throw new Error('the estimator was asked before it was ready');
      return carried(knot.estimate, (atNs - knot.timeNs) / 1e9);
    },
    sigma: () => ({
      positionM: place.sigmaM(),
      headingRad: heading.sigmaRad,
      tiltRad: Math.max(roll.sigmaRad, pitch.sigmaRad),
    }),
    motion() {
      const { xx, xy, yy, zz, vv } = place.covariance();
      const { speedMPerS } = place.state();
      const angles = [roll, pitch, heading];
      const squares = angles.map(({ sigmaRad }) => squared(sigmaRad));
      const poseCovariance = diagonal([xx, yy, zz, ...squares]);
      poseCovariance[1] = xy;
      poseCovariance[6] = xy;
      return {
        linearMPerS: [speedMPerS, 0, 0],
        angularRadPerS: [roll.rateRadPerS, pitch.rateRadPerS, heading.rateRadPerS],
        poseCovariance,
        // A skid-steer moves along its heading: sideways and upwards the filter's model has no speed.
        twistCovariance: diagonal([vv, 0, 0, ...angles.map(({ rateVariance }) => rateVariance)]),
      };
    },
  };
}

/** A square matrix, row by row. */
function diagonal(values: readonly number[]): number[] {
  const size = values.length;
  const matrix = new Array<number>(size * size).fill(0);
  for (let n = 0; n < size; n += 1) matrix[n * (size + 1)] = values[n] as number;
  return matrix;
}

/** worldFromVehicle of an estimate. */
export function poseOf(estimate: Estimate): Pose {
  return {
    positionM: [estimate.xM, estimate.yM, estimate.zM],
    rotation: quaternionOf(estimate),
  };
}

/** The estimate carried on (or back) at constant speed and turning rate. */
function carried(estimate: Estimate, dtS: number): Estimate {
  const turnRad = estimate.yawRateRadPerS * dtS;
  const middleRad = estimate.yawRad + turnRad / 2;
  const lengthM = estimate.speedMPerS * dtS * Math.cos(estimate.pitchRad);
  return {
    ...estimate,
    xM: estimate.xM + lengthM * Math.cos(middleRad),
    yM: estimate.yM + lengthM * Math.sin(middleRad),
    zM: estimate.zM - estimate.speedMPerS * dtS * Math.sin(estimate.pitchRad),
    yawRad: wrapAngle(estimate.yawRad + turnRad),
  };
}

function between(a: Estimate, b: Estimate, share: number): Estimate {
  const mix = (from: number, to: number): number => from + share * (to - from);
  return {
    xM: mix(a.xM, b.xM),
    yM: mix(a.yM, b.yM),
    zM: mix(a.zM, b.zM),
    yawRad: wrapAngle(a.yawRad + share * wrapAngle(b.yawRad - a.yawRad)),
    rollRad: mix(a.rollRad, b.rollRad),
    pitchRad: mix(a.pitchRad, b.pitchRad),
    speedMPerS: mix(a.speedMPerS, b.speedMPerS),
    yawRateRadPerS: mix(a.yawRateRadPerS, b.yawRateRadPerS),
  };
}

/** x, y and forward speed, linear for a known heading; z by itself. */
function createPlaceFilter(gpsVariance: number): {
  predict(dtS: number, headingRad: number, pitchRad: number): void;
  update(fix: readonly [number, number, number]): void;
  state(): { xM: number; yM: number; zM: number; speedMPerS: number };
  sigmaM(): number;
  covariance(): { xx: number; xy: number; yy: number; zz: number; vv: number };
} {
  let isSet = false;
  let [x, y, z, speed] = [0, 0, 0, 0];
  // Upper triangle of the covariance of x, y, speed; variance of z.
  let [xx, xy, xv, yy, yv, vv, zz] = [0, 0, 0, 0, 0, 0, 0];
  /** One coordinate's fix: the row of the covariance is the gain times the innovation's variance. */
  const take = (innovation: number, px: number, py: number, pv: number, variance: number): void => {
    const total = variance + gpsVariance;
    const [gx, gy, gv] = [px / total, py / total, pv / total];
    x += gx * innovation;
    y += gy * innovation;
    speed += gv * innovation;
    xx -= gx * px;
    xy -= gx * py;
    xv -= gx * pv;
    yy -= gy * py;
    yv -= gy * pv;
    vv -= gv * pv;
  };
  return {
    predict(dtS, headingRad, pitchRad) {
      const level = Math.cos(pitchRad) * dtS;
      const [cx, cy] = [level * Math.cos(headingRad), level * Math.sin(headingRad)];
      x += cx * speed;
      y += cy * speed;
      z -= Math.sin(pitchRad) * speed * dtS;
      const driftVariance = positionDensity * dtS;
      xx += 2 * cx * xv + cx * cx * vv + driftVariance;
      xy += cx * yv + cy * xv + cx * cy * vv;
      yy += 2 * cy * yv + cy * cy * vv + driftVariance;
      xv += cx * vv;
      yv += cy * vv;
      vv += speedDensity * dtS;
      zz += heightDensity * dtS;
    },
    update([fixX, fixY, fixZ]) {
      if (!isSet) {
        isSet = true;
        [x, y, z] = [fixX, fixY, fixZ];
        [xx, yy, zz, vv] = [gpsVariance, gpsVariance, gpsVariance, 0.01];
        return;
      }
      take(fixX - x, xx, xy, xv, xx);
      take(fixY - y, xy, yy, yv, yy);
      const gain = zz / (zz + gpsVariance);
      z += gain * (fixZ - z);
      zz *= 1 - gain;
    },
    state: () => ({ xM: x, yM: y, zM: z, speedMPerS: speed }),
    sigmaM: () => Math.sqrt(Math.max(xx, yy)),
    covariance: () => ({ xx, xy, yy, zz, vv }),
  };
}
