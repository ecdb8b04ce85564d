// Histograms of ranges by laser and azimuth, of a sensor that stays where it is, and their distance (Bhattacharyya 1943;
// Browning 2012, eq. 14).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/log/beams.h"

namespace understory {

// Bins of Deschaud 2012, figure 6. Their centres lie on multiples of the steps, where sensors report values.
struct HistogramBins {
  double azimuthStepRad = 0.09 * piRad / 180.0;
  double rangeStepM = 0.002;
};

// One sorted key a beam: laser, azimuth, range. A column is a laser at an azimuth; in each one bin is for no return.
using RangeHistogram = std::vector<std::uint64_t>;

// Histogram of the beams [from, to) whose return is known, with these ranges (NaN: none). `beams` has laser, azimuth.
RangeHistogram rangeHistogramOf(const Beams& beams, std::span<const float> rangesM,
                                std::size_t from, std::size_t to, const HistogramBins& bins);

// Every other beam of each column, and the rest.
struct HistogramHalves {
  RangeHistogram one;
  RangeHistogram other;
};
HistogramHalves halvesOf(const Beams& beams, std::span<const float> rangesM,
                         const HistogramBins& bins);

// -ln Σ √(h·f) over the columns that both have, each weighted by √(n·m) of its beams: with equal numbers the whole sums to
// 1 in both, as in the papers. Infinity where nothing overlaps, NaN where no column is in both.
double bhattacharyya(const RangeHistogram& one, const RangeHistogram& other);

// Whether the sensor stays where it is, so that each column has many beams: 20 in the mean.
bool isStationary(const Beams& beams, const HistogramBins& bins);

}  // namespace understory
