// One line a beam through the tree of ellipsoids. Counts are integers: their sums have no order.
#include "learn/counting.h"

#include <atomic>

#include "core/mutation.h"
#include "learn/parallel.h"

namespace understory {
namespace {

struct AtomicCounts {
  explicit AtomicCounts(std::size_t elements) : hits(elements), misses(elements) {}
  std::vector<std::atomic<std::uint32_t>> hits;
  std::vector<std::atomic<std::uint32_t>> misses;
};

void addOne(std::atomic<std::uint32_t>& count) { count.fetch_add(1, std::memory_order_relaxed); }

std::vector<std::uint32_t> plainOf(const std::vector<std::atomic<std::uint32_t>>& counts) {
  std::vector<std::uint32_t> plain;
  plain.reserve(counts.size());
  for (const std::atomic<std::uint32_t>& count : counts) plain.push_back(count.load());
  return plain;
}

// Counts of one beam, given the element of its end.
class BeamCounter {
 public:
  BeamCounter(const Beams& beams, const Ellipsoids& ellipsoids, CountingRule rule, double maxRangeM,
              AtomicCounts& counts)
      : beams_(beams),
        ellipsoids_(ellipsoids),
        rule_(rule),
        maxM_(maxRangeM),
        countsEarlyEnds_(activeMutation() == Mutation::earlyEndsAsMisses),
        counts_(counts) {}

  void count(std::size_t beam, std::uint32_t owner) const {
    if (beams_.isMiss(beam)) return countMiss(beam);
    if (beams_.isReturn(beam)) countReturn(beam, owner);
  }

 private:
  void countMiss(std::size_t beam) const {
    ellipsoids_.alongLine(
        beams_.originM[beam], beams_.direction[beam], maxM_,
        [&](std::uint32_t element, const Crossing&) { addOne(counts_.misses[element]); });
  }

  void countReturn(std::size_t beam, std::uint32_t owner) const {
    const Vec3f originM = beams_.originM[beam];
    const Vec3f direction = beams_.direction[beam];
    const Vec3d endM = beams_.endM(beam);
    const auto rangeM = static_cast<double>(beams_.rangeM[beam]);
    const std::vector<Ellipsoid>& elements = ellipsoids_.elements();
    const bool isOwned = owner != noGroup && followsOwner(elements[owner]);
    // Up to where elements of the rule `owner` were passed.
    const double passedM =
        isOwned ? crossingOf(elements[owner], toDouble(originM), toDouble(direction)).rangeM
                : rangeM;
    if (isOwned) addOne(counts_.hits[owner]);
    ellipsoids_.around(endM, [&](std::uint32_t element) {
      if (!followsOwner(elements[element])) addOne(counts_.hits[element]);
    });
    const double reachM = countsEarlyEnds_ ? maxM_ : std::min(std::max(rangeM, passedM), maxM_);
    ellipsoids_.alongLine(
        originM, direction, reachM, [&](std::uint32_t element, const Crossing& crossing) {
          const Ellipsoid& hit = elements[element];
          if (followsOwner(hit)) {
            if (element == owner || (crossing.rangeM >= passedM && !countsEarlyEnds_)) return;
          } else if (holds(hit, endM) || (crossing.rangeM >= rangeM && !countsEarlyEnds_)) {
            return;
          }
          addOne(counts_.misses[element]);
        });
  }

  bool followsOwner(const Ellipsoid& element) const {
    return rule_ == CountingRule::owner && !element.isFlat;
  }

  const Beams& beams_;
  const Ellipsoids& ellipsoids_;
  CountingRule rule_;
  double maxM_;
  bool countsEarlyEnds_;
  AtomicCounts& counts_;
};

}  // namespace

BeamCounts countBeams(const Beams& beams, const Ellipsoids& ellipsoids,
                      const std::vector<std::uint32_t>& ownerOf, CountingRule rule,
                      double maxRangeM, const Watch& watch) {
  AtomicCounts counts(ellipsoids.elements().size());
  const BeamCounter counter(beams, ellipsoids, rule, maxRangeM, counts);
  inPieces(beams.size(), pieceOfBeams, watch, "permeability",
           [&](std::size_t from, std::size_t to) {
             for (std::size_t beam = from; beam < to; ++beam) {
               counter.count(beam, ownerOf.empty() ? noGroup : ownerOf[beam]);
             }
           });
  return {plainOf(counts.hits), plainOf(counts.misses)};
}

}  // namespace understory
