// Metrics of Browning 2012, section 5, of two results along the same beams: those of a log, and those of a model or of
// another log of the same beams. As a whole, by class, by range.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "core/log/beams.h"
#include "core/watch.h"

namespace understory {

// Value of a metric that beams do not give.
inline constexpr double unknownNumber = std::numeric_limits<double>::quiet_NaN();
// Value of a beam that has none.
inline constexpr float noValue = std::numeric_limits<float>::quiet_NaN();

// The other result, beam by beam.
struct OtherResult {
  std::vector<float> rangesM;  // NaN: no return
  std::vector<float> costs;    // -ln likelihood of the log's range; empty: there is no model
  std::vector<std::uint8_t> isUnderSampled;  // empty likewise
};

// Shares and means are NaN where there is nothing to divide by.
struct PairCounts {
  std::size_t beams = 0;        // with a return, or known to have none
  std::size_t returns = 0;      // of the log
  std::size_t misses = 0;       // known ones of the log
  double hitsDetected = 0.0;    // share of the log's returns that the other has, too
  double missesDetected = 0.0;  // share of its misses
  // Share of the log's returns that the other has more than 0.5 m farther: points behind solids (Browning 2012, figure 17).
  double behind = 0.0;
  // D_pp of the returns of these beams: the larger of the two directed means of the distances to the nearest return of
  // any beam.
  double cloudM = 0.0;
  double negLogL = 0.0;       // mean
  double underSampled = 0.0;  // share of beams that met what fewer than 10 beams observed
};

struct ClassMetrics {
  std::string name;  // of the log's return; empty: beams without one
  PairCounts counts;
};

struct RangeMetrics {
  double fromM = 0.0;  // of the log's return
  double toM = 0.0;    // infinity: the last
  PairCounts counts;
};

// Frequencies for drawings.
struct PairHistograms {
  static constexpr std::size_t rangeBins = 120;
  static constexpr double decadesPerBin = 0.25;
  static constexpr double minDecade = -8.0;  // the first bin holds all below
  double rangeStepM = 0.0;
  std::vector<std::size_t> logReturns;
  std::vector<std::size_t> otherReturns;
  std::vector<std::size_t> likelihood;  // of beams; empty without a model
};

struct PairMetrics {
  PairCounts whole;
  std::vector<ClassMetrics> classes;  // those with beams; none where the log has no classes
  std::vector<RangeMetrics> ranges;   // bins with beams
  PairHistograms histograms;
};

// `classes`: names by class id. A pure function of its arguments. Throws 'cancelled'.
PairMetrics pairMetricsOf(const Beams& beams, const OtherResult& other,
                          const std::vector<std::string>& classes, double maxRangeM,
                          const Watch& watch);

}  // namespace understory
