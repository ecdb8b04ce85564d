// Two logs against each other in the metrics that need no model; or one log against itself, the floor of those metrics:
// what two real logs of one site differ by (PHYSICS.md, 2.5).
#pragma once

#include <optional>

#include "learn/pairMetrics.h"
#include "learn/rangeHistogram.h"

namespace understory {

struct LogComparison {
  // Both logs have the same beams: metrics beam by beam. Otherwise distances of whole clouds and sweeps alone.
  bool haveSameBeams = false;
  PairMetrics metrics;
  double sweepM = 0.0;     // NaN: no two sweeps are near each other
  std::size_t sweeps = 0;  // pairs that sweepM is the mean of
  double cloudM = 0.0;
  double bhattacharyya = 0.0;  // NaN: a sensor moved, or the two were apart
};

// Both relative to the same origin. Beams are the same where origins agree to 1 cm and directions to 0.1 mrad. Sweeps of
// other beams are paired with the sweep of `other` whose first beam began nearest, within half a metre.
LogComparison compareLogs(const Beams& one, const Beams& other,
                          const std::vector<std::string>& classes,
                          const std::vector<std::string>& otherClasses, double maxRangeM,
                          const HistogramBins& bins, const Watch& watch);

// Each sweep against the next; every other sweep against the rest (of one sweep: every other beam); of each column of a
// histogram every other beam against the rest.
LogComparison compareWithItself(const Beams& beams, const HistogramBins& bins, const Watch& watch);

}  // namespace understory
