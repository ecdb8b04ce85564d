// The maxima of a received waveform: native-workers/core/returns/waveform.cpp on the bins that it handed over.
export interface ReceivedWaveform {
  /** Lower edge of the first bin, and length of each, in range. */
  firstRangeM: number;
  binM: number;
  bins: ArrayLike<number>;
}

const lightSpeedMPerNs = 0.299792458;
/** Maxima that no valley of this share of the lower one parts are one. Coarser than the worker's: bins are f32. */
const minValley = 1e-5;

/** Range of each maximum, and its strength: the energy of a lone hit whose peak is as high. */
export function waveformPeaks(
  { bins, binM, firstRangeM }: ReceivedWaveform,
  pulseWidthNs: number,
): { rangeM: number; strength: number }[] {
  const sigmaM = (0.5 * lightSpeedMPerNs * pulseWidthNs) / Math.sqrt(8 * Math.LN2);
  const centredShare = erf((0.5 * binM) / (sigmaM * Math.SQRT2));
  const peaks: { rangeM: number; strength: number }[] = [];
  let highest = 0;
  let valleyBefore = 0;
  let isClimbing = true;
  for (let bin = 1; bin < bins.length; bin += 1) {
    const energy = bins[bin] ?? 0;
    if (isClimbing) {
      if (energy > (bins[highest] ?? 0)) highest = bin;
      else if (energy < (1 - minValley) * (bins[highest] ?? 0)) {
        peaks.push(peakAt(highest));
        valleyBefore = energy;
        isClimbing = false;
      }
    } else if (energy * (1 - minValley) > valleyBefore) {
      highest = bin;
      isClimbing = true;
    } else {
      valleyBefore = Math.min(valleyBefore, energy);
    }
  }
  if (isClimbing && (bins[highest] ?? 0) > 0) peaks.push(peakAt(highest));
  return peaks;

  /** The vertex of the parabola through the logarithms of three bins: exact for a Gaussian. */
  function peakAt(place: number): { rangeM: number; strength: number } {
    const floor = 1e-30 * (bins[place] ?? 0);
    const [before, middle, behind] = [place - 1, place, place + 1].map((bin) =>
      Math.log(Math.max(bins[bin] ?? 0, floor)),
    ) as [number, number, number];
    const curvature = before - 2 * middle + behind;
    const offset = curvature < 0 ? (0.5 * (before - behind)) / curvature : 0;
    const height = Math.exp(middle - 0.25 * (before - behind) * offset);
    return {
      rangeM: firstRangeM + (place + 0.5 + offset) * binM,
      strength: height / centredShare,
    };
  }
}

/** Abramowitz and Stegun 1964, 7.1.26: off by at most 1.5e-7. */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const series =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return Math.sign(x) * (1 - series * Math.exp(-x * x));
}
