// Azimuths that are sums and products of slot numbers, in the order of operations of the worker (core/sensor/scanLayout.cpp)
// and so to the last bit. Mirrors, images and panoramas have sines in their aims.
import type { ScanRecipe } from './scanRecipe.ts';

export interface AffineAims {
  /** The azimuth of a slot, counted from the sensor's first. */
  slotRad: (slot: number) => number;
  /** How fast the azimuth advances between two slots. */
  turningRadPerS: number;
  /** Seen from above. */
  isClockwise: boolean;
  /** Whether azimuths are of one turn, from 0 on. */
  isOfTurn: boolean;
}

/** Null: the azimuths of the scan are not affine. */
export function affineAimsOf(scan: ScanRecipe, slotsPerSecond: number): AffineAims | null {
  if (scan.kind === 'spinning') {
    const isClockwise = scan.direction === 'clockwise';
    return {
      slotRad(slot) {
        const turns = ((slot * scan.rateHz) % slotsPerSecond) / slotsPerSecond;
        if (!isClockwise) return 2 * Math.PI * turns;
        const azimuthRad = 2 * Math.PI * (1 - turns);
        return azimuthRad < 2 * Math.PI ? azimuthRad : 0;
      },
      turningRadPerS: (isClockwise ? -2 : 2) * Math.PI * scan.rateHz,
      isClockwise,
      isOfTurn: true,
    };
  }
  if (scan.kind !== 'sweep') return null;
  const { minAzimuthRad, maxAzimuthRad, slotsPerScan, activeShare = 1 } = scan;
  const swathRad = maxAzimuthRad - minAzimuthRad;
  const steps = slotsPerScan - 1;
  return {
    slotRad: (slot) =>
      steps < 1 ? minAzimuthRad : minAzimuthRad + swathRad * ((slot % slotsPerScan) / steps),
    turningRadPerS: steps < 1 ? 0 : ((swathRad / steps) * slotsPerSecond) / activeShare,
    isClockwise: false,
    isOfTurn: false,
  };
}
