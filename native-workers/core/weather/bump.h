// The signal of a medium as a receiver sees it: the emitted pulse, a Gaussian, from each of equal slices of range. Its
// height at a place is as a lone hit would have that sends back so much.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <vector>

#include "core/returns/detection.h"

namespace understory {

// With a waveform, which forms the bumps, slices count that send back such a share of the least signal.
inline constexpr double minSliceShare = 0.05;

// A bump that sends back less is seen more rarely than there is a false alarm.
inline double minCountedSignal(const Detector& detector, double rangeM) {
  constexpr double hopelessSigmas = 5.0;
  constexpr double minOfThreshold = 0.02;
  const double counted = std::max(detector.threshold() - hopelessSigmas * detector.sigma(),
                                  minOfThreshold * detector.threshold());
  return std::max(detector.minSignal(), counted / detector.gainAt(rangeM));
}

// The pulse, sampled at slices.
class SlicedPulse {
 public:
  // `sigmaSlices`: its standard deviation.
  explicit SlicedPulse(double sigmaSlices) {
    constexpr double reachSigmas = 6.0;
    for (double apart = 0.0; apart < reachSigmas * sigmaSlices; apart += 1.0) {
      const double sigmas = apart / sigmaSlices;
      height_.push_back(std::exp(-0.5 * sigmas * sigmas));
    }
  }

  // The height, for the signal of slices, at the middle of slice `place`, which may lie beside them.
  double heightAt(std::span<const double> signal, std::ptrdiff_t place) const {
    const auto reach = static_cast<std::ptrdiff_t>(height_.size());
    const auto end = std::min(place + reach, static_cast<std::ptrdiff_t>(signal.size()));
    double sum = 0.0;
    for (std::ptrdiff_t slice = std::max<std::ptrdiff_t>(place - reach + 1, 0); slice < end;
         ++slice) {
      sum += signal[static_cast<std::size_t>(slice)] *
             height_[static_cast<std::size_t>(std::abs(slice - place))];
    }
    return sum;
  }
  // The height for a signal of 1 in every slice.
  double heightOfOnes() const {
    double sum = -height_.front();
    for (const double height : height_) sum += 2.0 * height;
    return sum;
  }

 private:
  std::vector<double> height_;  // by distance
};

// The vertex of the parabola through the logarithms of three heights: in slices from the middle one, and its height.
struct BumpVertex {
  double offset = 0.0;
  double height = 0.0;
};

inline BumpVertex vertexOf(double before, double at, double behind) {
  if (!(before > 0.0 && behind > 0.0)) return {0.0, at};
  const double bend = std::log(before) - 2.0 * std::log(at) + std::log(behind);
  if (!(bend < 0.0)) return {0.0, at};
  const double offset = std::clamp(0.5 * (std::log(before) - std::log(behind)) / bend, -0.5, 0.5);
  return {offset, at * std::exp(-0.5 * bend * offset * offset)};
}

}  // namespace understory
