// Sums of integers: they have no order.
#include "learn/lineSample.h"

#include "learn/parallel.h"

namespace understory {

void LineSample::count(const std::vector<PiercedLists>& lines) {
  clearUnits(lines_);
  inPieces(lines.size(), 1, {}, "", [&](std::size_t piece, std::size_t) {
    for (const Pierced& one : lines[piece].pierced) addUnits(lines_[one.element], unitsOf(1.0));
  });
}

void LineSample::clear() {
  clearUnits(hits_);
  clearUnits(reachedByHits_);
}

double LineSample::beamsThatReach(std::size_t element, std::uint64_t reachedOnLines,
                                  double hits) const {
  const auto reached = static_cast<double>(reachedOnLines);
  const auto sampledHits = static_cast<double>(hits_[element].load());
  const auto reachedByHits = static_cast<double>(reachedByHits_[element].load());
  const auto lines = static_cast<double>(lines_[element].load());
  const double perHit = sampledHits > 0.0 ? reachedByHits / sampledHits : reached / lines;
  return beamsOfLine_ * (reached - reachedByHits) + perHit * hits;
}

}  // namespace understory
