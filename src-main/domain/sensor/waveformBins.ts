// How many bins a waveform has: from the nearest range to the farthest, with room for the pulse around both.
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';

const lightSpeedMPerNs = 0.299792458;

/**
 * Bins of one pulse, an upper estimate and no whole number; 0 without a waveform. The pulse is a Gaussian of which six
 * standard deviations count on either side (PHYSICS.md, 1.3).
 */
export function waveformBins({ returns, minRangeM, maxRangeM }: SensorRecipe): number {
  if (returns.waveform === undefined) return 0;
  const { binNs, pulseWidthNs } = returns.waveform;
  const binM = 0.5 * lightSpeedMPerNs * binNs;
  const sigmaM = (0.5 * lightSpeedMPerNs * pulseWidthNs) / Math.sqrt(8 * Math.LN2);
  return (maxRangeM - minRangeM + 12 * sigmaM) / binM + 3;
}
