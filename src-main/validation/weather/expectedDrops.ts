// Drops and flakes that a receiver sees, by range, from the laws alone: numbers of drops by size, the beam's section, and
// the probability of detection. Nothing of the engine is used.
import { normalCdf, normalQuantile } from '#domain/campaign/normal.ts';

export interface Drops {
  numberPerM3Mm: number;
  sizesPerMm: number;
  sizeFactor: number;
  reflectance: number;
}

/** A beam of round section, and its receiver. */
export interface Receiver {
  apertureM: number;
  divergenceRad: number;
  fromM: number;
  fullM: number;
  maxM: number;
  /** The detection limit: reflectance at a range, seen with probability ½. */
  reflectance: number;
  rangeM: number;
  falseAlarmsPerPulse: number;
  minM: number;
  resolutionM: number;
}

/** Marshall and Palmer 1948. */
export function marshallPalmer(rateMmPerH: number): Drops {
  return {
    numberPerM3Mm: 8000,
    sizesPerMm: 4.1 * rateMmPerH ** -0.21,
    sizeFactor: 1,
    reflectance: 0.17,
  };
}

/** Gunn and Marshall 1958, dry flakes. */
export function gunnMarshall(rateMmPerH: number): Drops {
  return {
    numberPerM3Mm: 3800 * rateMmPerH ** -0.87,
    sizesPerMm: 2.55 * rateMmPerH ** -0.48,
    sizeFactor: 10 ** (1 / 3),
    reflectance: 0.5,
  };
}

/** κ: the areas of all discs in a cubic metre, ∫ N(D) ¼π f²D² dD, by quadrature. */
export function extinctionPerM(drops: Drops): number {
  const stepMm = 0.001 / drops.sizesPerMm;
  let sum = 0;
  for (let mm = stepMm / 2; mm < 40 / drops.sizesPerMm; mm += stepMm) {
    sum += Math.exp(-drops.sizesPerMm * mm) * discM2(drops, mm) * stepMm;
  }
  return drops.numberPerM3Mm * sum;
}

/**
 * How much the mean of what nine rays keep, out and back, exceeds exp(−2κR), as an exponent: a drop takes (1 − b/w)² of one
 * ray, which is 1 − 2b/w but for ∫ A(r) ∫ N(D) b²/w dD dr.
 */
export function squaresOfShares(drops: Drops, receiver: Receiver, toM: number): number {
  const stepMm = 0.001 / drops.sizesPerMm;
  let areas = 0;
  for (let mm = stepMm / 2; mm < 40 / drops.sizesPerMm; mm += stepMm) {
    areas += Math.exp(-drops.sizesPerMm * mm) * discM2(drops, mm) ** 2 * stepMm;
  }
  const { apertureM, divergenceRad, fromM } = receiver;
  // ∫ dr / A of a round beam.
  const perArea =
    (4 / Math.PI / divergenceRad) *
    (1 / (apertureM + divergenceRad * fromM) - 1 / (apertureM + divergenceRad * toM));
  return 9 * drops.numberPerM3Mm * areas * perArea;
}

/** Mean number of drops seen in each pulse, for each metre of range. */
export function seenPerM(
  drops: Drops,
  receiver: Receiver,
  perM: number,
): (rangeM: number) => number {
  const cells = (receiver.maxM - receiver.minM) / receiver.resolutionM;
  const k = -normalQuantile(receiver.falseAlarmsPerPulse / cells);
  const sigma = receiver.reflectance / receiver.rangeM ** 2 / k;
  return (rangeM) => {
    const { fromM, fullM, apertureM, divergenceRad } = receiver;
    const overlap = Math.min(1, Math.max(0, (rangeM - fromM) / (fullM - fromM)));
    if (overlap === 0) return 0;
    const sectionM2 = (Math.PI / 4) * (apertureM + divergenceRad * rangeM) ** 2;
    const ofWhole = (drops.reflectance * overlap * Math.exp(-2 * perM * rangeM)) / rangeM ** 2;
    const stepMm = 0.02 / drops.sizesPerMm;
    let sum = 0;
    for (let mm = stepMm / 2; mm < 20 / drops.sizesPerMm; mm += stepMm) {
      const signal = (ofWhole * discM2(drops, mm)) / sectionM2;
      sum += Math.exp(-drops.sizesPerMm * mm) * normalCdf(signal / sigma - k) * stepMm;
    }
    return sectionM2 * drops.numberPerM3Mm * sum;
  };
}

/** ∫ f over [from, to]: Simpson's rule. */
export function integral(f: (x: number) => number, from: number, to: number, steps = 8): number {
  const step = (to - from) / (2 * steps);
  let sum = f(from) + f(to);
  for (let n = 1; n < 2 * steps; ++n) sum += (n % 2 === 1 ? 4 : 2) * f(from + n * step);
  return (sum * step) / 3;
}

function discM2(drops: Drops, mm: number): number {
  return (Math.PI / 4) * (drops.sizeFactor * mm * 1e-3) ** 2;
}
