// A Kalman filter for one angle and its rate, fed by noisy readings of the angle (nearly constant rate:
// white angular acceleration). One each for heading, roll and pitch.
import { cubed, wrapAngle } from '#domain/shared/numbers.ts';

export interface AngleFilter {
  /** Carries the state forward. */
  predict(dtS: number): void;
  /** Takes a reading of the angle at the present time; the first one sets the state. */
  update(readingRad: number): void;
  readonly angleRad: number;
  readonly rateRadPerS: number;
  /** Standard deviation of the angle by the filter's estimate. */
  readonly sigmaRad: number;
  /** Variance of the rate by the filter's estimate, rad²/s². */
  readonly rateVariance: number;
}

/**
 * @param sigmaRad standard deviation of one reading
 * @param density spectral density of the angular acceleration, rad²/s³: the greater, the quicker the
 *   filter follows and the less it smooths
 */
export function createAngleFilter(sigmaRad: number, density: number): AngleFilter {
  const readingVariance = sigmaRad * sigmaRad;
  let isSet = false;
  let angle = 0;
  let rate = 0;
  // Covariance of angle and rate.
  let paa = 0;
  let par = 0;
  let prr = 0;
  return {
    predict(dtS) {
      if (!isSet) return;
      angle += rate * dtS;
      paa += dtS * (2 * par + dtS * prr) + (density * cubed(dtS)) / 3;
      par += dtS * prr + (density * (dtS * dtS)) / 2;
      prr += density * dtS;
    },
    update(readingRad) {
      if (!isSet) {
        isSet = true;
        angle = readingRad;
        paa = readingVariance;
        prr = 0.01;
        return;
      }
      const innovation = wrapAngle(readingRad - angle);
      const variance = paa + readingVariance;
      const gainAngle = paa / variance;
      const gainRate = par / variance;
      angle = wrapAngle(angle + gainAngle * innovation);
      rate += gainRate * innovation;
      prr -= gainRate * par;
      par *= 1 - gainAngle;
      paa *= 1 - gainAngle;
    },
    get angleRad() {
      return angle;
    },
    get rateRadPerS() {
      return rate;
    },
    get sigmaRad() {
      return Math.sqrt(paa);
    },
    get rateVariance() {
      return prr;
    },
  };
}
