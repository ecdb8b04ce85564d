// Counts and sums are integers: intensities and cosines in units of 2⁻²⁰, so that their sums have no order.
#include "learn/triangleCounting.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "learn/balancedCounts.h"
#include "learn/elementSums.h"
#include "learn/parallel.h"
#include "learn/volumeModel.h"

namespace understory {
namespace {

// Why at least: along a line no two triangles give the same range.
constexpr double minSigmaM = 0.001;
// By the rule `owner` a return may be of a triangle that its line crosses within so many Δ_r. Why more than one: where returns
// scatter, the surface has gaps, and returns that are of no triangle are beams that the model lets pass.
constexpr double ownerOffsets = 4.0;

// Triangles along lines: all are of surfaces, and none is judged by its size.
class PiercedTriangles final : public PiercedParts {
 public:
  PiercedTriangles(const Triangles& triangles, double noiseM)
      : PiercedParts(noiseM), triangles_(triangles) {}

  std::size_t size() const override { return triangles_.size(); }
  bool isFlat(std::uint32_t) const override { return true; }
  double widthM(std::uint32_t) const override { return 1.0; }
  void alongLine(Vec3f originM, Vec3f direction, double maxM,
                 std::vector<PiercedPart>& met) const override {
    triangles_.alongLine(originM, direction, maxM, [&](std::uint32_t triangle, double rangeM) {
      met.push_back({rangeM, noiseM(), triangle});
    });
  }
  void prepareReturns(const Watch&) override {}
  void aroundReturn(const ReturnLine& line, std::vector<PiercedPart>& met) const override {
    alongLine(line.originM, line.direction, line.maxM, met);
  }

 private:
  const Triangles& triangles_;
};

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

  TriangleCounts run() {
    const bool hasOwners = counting_.rule == CountingRule::owner;
    inPieces(beams_.size(), pieceOfBeams, watch_, "returns of triangles",
             [&](std::size_t from, std::size_t to) {
               for (std::size_t beam = from; beam < to; ++beam) {
                 if (hasOwners) {
                   findOwner(beam);
                 } else {
                   countBeam(beam);
                 }
               }
             });
    TriangleCounts counts;
    if (hasOwners) {
      PiercedTriangles parts(triangles_, std::max(counting_.noiseM, minSigmaM));
      static_cast<BeamCounts&>(counts) =
          balancedCounts(beams_, parts, ownerOf_, maxCrossingsOfAllLines, reach_, watch_);
    }
    for (const Sums& sum : sums_) {
      if (!hasOwners) {
        counts.hits.push_back(sum.hits);
        counts.misses.push_back(sum.misses);
      }
      counts.reflectance.push_back(sum.cosine > 0 ? static_cast<double>(sum.reflectance) /
                                                        static_cast<double>(sum.cosine)
                                                  : std::numeric_limits<double>::quiet_NaN());
    }
    counts.ownerOf = std::move(ownerOf_);
    return counts;
  }

 private:
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

Triangles::Triangles(TriangleMesh mesh) : mesh_(std::move(mesh)) {
  std::vector<Boundsf> boxes(mesh_.triangles.size());
  for (std::size_t triangle = 0; triangle < boxes.size(); ++triangle) {
    for (const std::uint32_t corner : mesh_.triangles[triangle]) {
      extend(boxes[triangle], mesh_.verticesM[corner]);
    }
  }
  tree_ = BoxTree(boxes);
}

Vec3d Triangles::normalOf(std::size_t triangle) const {
  const auto& [a, b, c] = mesh_.triangles[triangle];
  const Vec3d from = toDouble(mesh_.verticesM[a]);
  const Vec3d normal =
      cross(toDouble(mesh_.verticesM[b]) - from, toDouble(mesh_.verticesM[c]) - from);
  const double size = length(normal);
  return size > 0.0 ? normal * (1.0 / size) : Vec3d{0.0, 0.0, 1.0};
}

// Möller and Trumbore 1997.
double Triangles::crossing(std::size_t triangle, Vec3d originM, Vec3d direction) const {
  constexpr double none = -1.0;
  const auto& [a, b, c] = mesh_.triangles[triangle];
  const Vec3d from = toDouble(mesh_.verticesM[a]);
  const Vec3d one = toDouble(mesh_.verticesM[b]) - from;
  const Vec3d two = toDouble(mesh_.verticesM[c]) - from;
  const Vec3d p = cross(direction, two);
  const double determinant = dot(one, p);
  if (determinant == 0.0) return none;
  const Vec3d offset = originM - from;
  const double u = dot(offset, p) / determinant;
  if (u < 0.0 || u > 1.0) return none;
  const Vec3d q = cross(offset, one);
  const double v = dot(direction, q) / determinant;
  if (v < 0.0 || u + v > 1.0) return none;
  return dot(two, q) / determinant;
}

TriangleCounts countOnTriangles(const Beams& beams, const Triangles& triangles,
                                const TriangleCounting& counting, const BeamReach& reach,
                                const Watch& watch) {
  return TriangleCounter(beams, triangles, counting, reach, watch).run();
}

}  // namespace understory
