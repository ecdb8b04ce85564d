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

struct Sums {
  std::atomic<std::uint32_t> hits{0};
  std::atomic<std::uint32_t> misses{0};
  std::atomic<std::uint64_t> reflectance{0};
  std::atomic<std::uint64_t> cosine{0};
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

TriangleCounts countOnTriangles(const Beams& beams, const Triangles& triangles, double offsetM,
                                double intensityOfWhite, const BeamReach& reach,
                                const Watch& watch) {
  std::vector<Sums> sums(triangles.size());
  std::vector<std::uint8_t> isHit(beams.size());
  const auto countBeam = [&](std::size_t beam) {
    const bool isReturn = beams.isReturn(beam);
    if (!isReturn && !beams.isMiss(beam)) return;
    const double rangeM = isReturn ? static_cast<double>(beams.rangeM[beam])
                                   : std::numeric_limits<double>::infinity();
    triangles.alongLine(
        beams.originM[beam], beams.direction[beam], std::min(rangeM + offsetM, reach.maxM(beam)),
        [&](std::uint32_t triangle, double crossingM) {
          if (rangeM - crossingM >= offsetM) {
            sums[triangle].misses.fetch_add(1, std::memory_order_relaxed);
          } else if (std::abs(rangeM - crossingM) < offsetM) {
            sums[triangle].hits.fetch_add(1, std::memory_order_relaxed);
            isHit[beam] = 1;
            const auto intensity = static_cast<double>(beams.intensity[beam]);
            if (std::isnan(intensity) || !(intensityOfWhite > 0.0)) return;
            const double cosine =
                std::abs(dot(triangles.normalOf(triangle), toDouble(beams.direction[beam])));
            addUnits(sums[triangle].reflectance,
                     unitsOf(boundedReflectance(intensity, intensityOfWhite)));
            addUnits(sums[triangle].cosine, unitsOf(cosine));
          }
        });
  };
  inPieces(beams.size(), pieceOfBeams, watch, "permeability",
           [&](std::size_t from, std::size_t to) {
             for (std::size_t beam = from; beam < to; ++beam) countBeam(beam);
           });
  TriangleCounts counts;
  counts.isHit = std::move(isHit);
  for (const Sums& sum : sums) {
    counts.hits.push_back(sum.hits);
    counts.misses.push_back(sum.misses);
    counts.reflectance.push_back(sum.cosine > 0 ? static_cast<double>(sum.reflectance) /
                                                      static_cast<double>(sum.cosine)
                                                : std::numeric_limits<double>::quiet_NaN());
  }
  return counts;
}

}  // namespace understory
