// One line a beam through the tree of ellipsoids. Counts are integers: their sums have no order.
#include "learn/counting.h"

#include <atomic>

#include "core/mutation.h"
#include "learn/balancedCounts.h"
#include "learn/elementSums.h"
#include "learn/parallel.h"
#include "learn/piercedModel.h"

namespace understory {
namespace {

struct AtomicCounts {
  explicit AtomicCounts(std::size_t elements) : hits(elements), misses(elements) {}
  ElementCounts hits;
  ElementCounts misses;
};

std::vector<double> numbersOf(const ElementCounts& counts) {
  std::vector<double> numbers;
  numbers.reserve(counts.size());
  for (const std::atomic<std::uint32_t>& count : counts) numbers.push_back(count.load());
  return numbers;
}

// Counts of one beam by the rule `ellipsoid`.
class BeamCounter {
 public:
  BeamCounter(const Beams& beams, const Ellipsoids& ellipsoids, const BeamReach& reach,
              AtomicCounts& counts)
      : beams_(beams),
        ellipsoids_(ellipsoids),
        reach_(reach),
        countsEarlyEnds_(activeMutation() == Mutation::earlyEndsAsMisses),
        counts_(counts) {}

  void count(std::size_t beam) const {
    if (beams_.isMiss(beam)) return countMiss(beam);
    if (beams_.isReturn(beam)) countReturn(beam);
  }

 private:
  void countMiss(std::size_t beam) const {
    ellipsoids_.alongLine(
        beams_.originM[beam], beams_.direction[beam], reach_.maxM(beam),
        [&](std::uint32_t element, const Crossing&) { addOne(counts_.misses[element]); });
  }

  void countReturn(std::size_t beam) const {
    const Vec3d endM = beams_.endM(beam);
    const auto rangeM = static_cast<double>(beams_.rangeM[beam]);
    const std::vector<Ellipsoid>& elements = ellipsoids_.elements();
    ellipsoids_.around(endM, [&](std::uint32_t element) { addOne(counts_.hits[element]); });
    const double maxM = reach_.maxM(beam);
    ellipsoids_.alongLine(beams_.originM[beam], beams_.direction[beam],
                          countsEarlyEnds_ ? maxM : std::min(rangeM, maxM),
                          [&](std::uint32_t element, const Crossing& crossing) {
                            if (holds(elements[element], endM)) return;
                            if (crossing.rangeM >= rangeM && !countsEarlyEnds_) return;
                            addOne(counts_.misses[element]);
                          });
  }

  const Beams& beams_;
  const Ellipsoids& ellipsoids_;
  const BeamReach& reach_;
  bool countsEarlyEnds_;
  AtomicCounts& counts_;
};

}  // namespace

BeamCounts countBeams(const Beams& beams, const Ellipsoids& ellipsoids,
                      const std::vector<std::uint32_t>& ownerOf, const Counting& counting,
                      const BeamReach& reach, const Watch& watch) {
  if (counting.rule == CountingRule::owner) {
    const Triangles none;
    PiercedModel parts(none, ellipsoids, counting.noiseM);
    return balancedCounts(beams, parts, ownerOf, counting.maxCrossings, reach, watch);
  }
  AtomicCounts counts(ellipsoids.elements().size());
  const BeamCounter counter(beams, ellipsoids, reach, counts);
  inPieces(beams.size(), pieceOfBeams, watch, "permeability",
           [&](std::size_t from, std::size_t to) {
             for (std::size_t beam = from; beam < to; ++beam) counter.count(beam);
           });
  return {numbersOf(counts.hits), numbersOf(counts.misses)};
}

}  // namespace understory
