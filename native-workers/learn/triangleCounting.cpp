// Counts and sums are integers: intensities and cosines in units of 2⁻²⁰, so that their sums have no order.
#include "learn/triangleCounting.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "learn/elementSums.h"
#include "learn/parallel.h"
#include "learn/volumeModel.h"

namespace understory {
namespace {

// By the rule `owner` a return may be of a triangle that its line crosses within so many Δ_r. Why more than one: where returns
// scatter, the surface has gaps, and returns that are of no triangle are beams that the model lets pass.
constexpr double ownerOffsets = 4.0;

struct Sums {
  std::atomic<std::uint32_t> hits{0};
  std::atomic<std::uint32_t> misses{0};
  std::atomic<std::uint64_t> reflectance{0};
  std::atomic<std::uint64_t> cosine{0};
};

class TriangleCounter {
 public:
  TriangleCounter(const Beams& beams, const Triangles& triangles, const TriangleCounting& counting,
                  const BeamReach& reach, const Watch& watch)
      : beams_(beams),
        triangles_(triangles),
        counting_(counting),
        reach_(reach),
        watch_(watch),
        sums_(triangles.size()),
        ownerOf_(beams.size(), noGroup) {}

  TriangleCounts run(const std::vector<std::uint32_t>& members) {
    if (counting_.rule == CountingRule::owner) {
      forEach(members, [&](std::uint32_t beam) { findOwner(beam); });
    } else {
      forEach({}, [&](std::uint32_t beam) { countBeam(beam); });
    }
    TriangleCounts counts;
    for (const Sums& sum : sums_) {
      if (counting_.rule != CountingRule::owner) {
        counts.counts.hits.push_back(sum.hits);
        counts.counts.misses.push_back(sum.misses);
      }
      counts.reflectance.push_back(sum.cosine > 0 ? static_cast<double>(sum.reflectance) /
                                                        static_cast<double>(sum.cosine)
                                                  : std::numeric_limits<double>::quiet_NaN());
    }
    counts.ownerOf = std::move(ownerOf_);
    return counts;
  }

 private:
  // Calls visit(beam), on any thread, for some of the beams, or for all.
  template <typename Visit>
  void forEach(const std::vector<std::uint32_t>& some, Visit&& visit) const {
    const std::size_t count = some.empty() ? beams_.size() : some.size();
    inPieces(count, pieceOfBeams, watch_, "returns of triangles",
             [&](std::size_t from, std::size_t to) {
               for (std::size_t at = from; at < to; ++at) {
                 visit(some.empty() ? static_cast<std::uint32_t>(at) : some[at]);
               }
             });
  }

  // Rule `owner`.
  void findOwner(std::size_t beam) {
    if (!beams_.isReturn(beam)) return;
    const auto rangeM = static_cast<double>(beams_.rangeM[beam]);
    std::uint32_t& owner = ownerOf_[beam];
    double nearestM = ownerOffsets * counting_.offsetM;
    triangles_.alongLine(beams_.originM[beam], beams_.direction[beam],
                         std::min(rangeM + nearestM, reach_.maxM(beam)),
                         [&](std::uint32_t triangle, double crossingM) {
                           const double offM = std::abs(rangeM - crossingM);
                           if (offM > nearestM || (offM == nearestM && triangle > owner)) return;
                           nearestM = offM;
                           owner = triangle;
                         });
    if (owner != noGroup) addReflectance(beam, owner);
  }

  // Rule `ellipsoid`.
  void countBeam(std::size_t beam) {
    const bool isReturn = beams_.isReturn(beam);
    if (!isReturn && !beams_.isMiss(beam)) return;
    const double rangeM = isReturn ? static_cast<double>(beams_.rangeM[beam])
                                   : std::numeric_limits<double>::infinity();
    const double offsetM = counting_.offsetM;
    triangles_.alongLine(beams_.originM[beam], beams_.direction[beam],
                         std::min(rangeM + offsetM, reach_.maxM(beam)),
                         [&](std::uint32_t triangle, double crossingM) {
                           if (rangeM - crossingM >= offsetM) {
                             addOne(sums_[triangle].misses);
                           } else if (crossingM - rangeM < offsetM) {
                             addOne(sums_[triangle].hits);
                             addReflectance(beam, triangle);
                             ownerOf_[beam] = triangle;
                           }
                         });
  }

  void addReflectance(std::size_t beam, std::uint32_t triangle) {
    const auto intensity = static_cast<double>(beams_.intensity[beam]);
    if (std::isnan(intensity) || !(counting_.intensityOfWhite > 0.0)) return;
    const double cosine =
        std::abs(dot(triangles_.normalOf(triangle), toDouble(beams_.direction[beam])));
    addUnits(sums_[triangle].reflectance,
             unitsOf(boundedReflectance(intensity, counting_.intensityOfWhite)));
    addUnits(sums_[triangle].cosine, unitsOf(cosine));
  }

  const Beams& beams_;
  const Triangles& triangles_;
  const TriangleCounting& counting_;
  const BeamReach& reach_;
  const Watch& watch_;
  std::vector<Sums> sums_;
  std::vector<std::uint32_t> ownerOf_;
};

}  // namespace

TriangleCounts countOnTriangles(const Beams& beams, const std::vector<std::uint32_t>& members,
                                const Triangles& triangles, const TriangleCounting& counting,
                                const BeamReach& reach, const Watch& watch) {
  return TriangleCounter(beams, triangles, counting, reach, watch).run(members);
}

}  // namespace understory
