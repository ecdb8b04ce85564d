// The signal of a medium as a receiver sees it: the emitted pulse, a Gaussian, from each of equal slices of range. Its
// height at a place is as a lone hit would have that sends back so much.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "core/returns/detection.h"

namespace understory {

// With a waveform, which forms the bumps, slices count that send back such a share of the least signal.
inline constexpr double minSliceShare = 0.05;

// A bump that sends back less is seen more rarely than there is a false alarm.
inline double leastSignal(const Detector& detector, double rangeM) {
  constexpr double hopelessSigmas = 5.0;
  constexpr double minOfThreshold = 0.02;
  const double counted = std::max(detector.threshold() - hopelessSigmas * detector.sigma(),
                                  minOfThreshold * detector.threshold());
  return std::max(detector.minSignal(), counted / detector.gainAt(rangeM));
}

// At the middle of slice `place`, which may lie beside the slices; `sigmaSlices`: of the pulse.
inline double bumpHeight(std::span<const double> signal, std::ptrdiff_t place, double sigmaSlices) {
  constexpr double reachSigmas = 6.0;
  const auto reach = static_cast<std::ptrdiff_t>(std::ceil(reachSigmas * sigmaSlices));
  const auto end = std::min(place + reach, static_cast<std::ptrdiff_t>(signal.size()));
  double sum = 0.0;
  for (std::ptrdiff_t slice = std::max<std::ptrdiff_t>(place - reach + 1, 0); slice < end;
       ++slice) {
    const double apart = static_cast<double>(slice - place) / sigmaSlices;
    sum += signal[static_cast<std::size_t>(slice)] * std::exp(-0.5 * apart * apart);
  }
  return sum;
}

// The vertex of the parabola through the logarithms of three heights, in slices from the middle one.
inline double vertexOf(double before, double at, double behind) {
  if (!(before > 0.0 && behind > 0.0)) return 0.0;
  const double bend = std::log(before) - 2.0 * std::log(at) + std::log(behind);
  return bend < 0.0 ? 0.5 * (std::log(before) - std::log(behind)) / bend : 0.0;
}

}  // namespace understory
