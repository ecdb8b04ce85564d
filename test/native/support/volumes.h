// Volume elements of a log, and what passes them along its own beams.
#pragma once

#include <doctest/doctest.h>

#include <utility>

#include "learn/counting.h"
#include "learn/topDown.h"
#include "test/native/support/beams.h"

namespace understory {

inline constexpr double maxReachM = 50.0;

struct Volumes {
  PointGroups groups;
  std::vector<Gaussian> gaussians;
  Ellipsoids ellipsoids;
  BeamCounts counts;
};

inline Volumes volumesOf(const Beams& beams, PointGroups groups, double radius,
                         const Counting& counting) {
  Volumes volumes;
  volumes.groups = std::move(groups);
  volumes.gaussians = fitGaussians(beams, volumes.groups, 0.001, {});
  volumes.ellipsoids = Ellipsoids(volumes.gaussians, radius, counting.rule);
  volumes.counts = countBeams(beams, volumes.ellipsoids, groupOfBeam(volumes.groups, beams.size()),
                              counting, BeamReach(maxReachM), {});
  return volumes;
}

inline Volumes volumesOf(const Beams& beams, PointGroups groups, double radius, CountingRule rule,
                         double noiseM = 0.0) {
  return volumesOf(beams, std::move(groups), radius, Counting(rule, noiseM));
}

// Share of the beams with isJudged(beam) that pass the elements with isMet(element), in the mean.
inline double meanPassed(const Beams& beams, const Volumes& volumes, const auto& isJudged,
                         const auto& isMet) {
  double sum = 0.0;
  double count = 0.0;
  for (std::size_t beam = 0; beam < beams.size(); ++beam) {
    if (!isJudged(beam)) continue;
    double passed = 1.0;
    volumes.ellipsoids.alongLine(beams.originM[beam], beams.direction[beam], maxReachM,
                                 [&](std::uint32_t element, const Crossing&) {
                                   if (isMet(element))
                                     passed *= volumes.counts.permeability(element);
                                 });
    sum += passed;
    count += 1.0;
  }
  REQUIRE(count >= 100.0);
  return sum / count;
}

// The share of beams along the log's own directions that pass all that they pierce, in the mean.
inline double meanTransmission(const Beams& beams, const Volumes& volumes, double maxSideM) {
  return meanPassed(
      beams, volumes,
      [&](std::size_t beam) {
        const Vec3d middle = toDouble(beams.originM[beam]) + toDouble(beams.direction[beam]) * 6.0;
        return std::abs(middle.y) <= maxSideM && std::abs(middle.z) <= maxSideM;
      },
      [](std::uint32_t) { return true; });
}

// Share of the beams that pass the elements before `toM`, within the middle of the beams' square.
inline double shareBefore(const Beams& beams, const Volumes& volumes, double toM) {
  return meanPassed(
      beams, volumes,
      [&](std::size_t beam) {
        const Vec3f direction = beams.direction[beam];
        return beam % 7 == 0 && std::abs(direction.y) <= 0.12F && std::abs(direction.z) <= 0.12F;
      },
      [&](std::uint32_t element) { return volumes.gaussians[element].meanM.x < toM; });
}

// Share of the beams of a wall about the origin that pass it: each `step`-th one that ends inside of its border, where the element
// that a beam ends in is whole.
inline double leakOf(const Beams& beams, const Volumes& wall, std::size_t step) {
  return meanPassed(
      beams, wall,
      [&](std::size_t beam) { return beam % step == 0 && length(beams.endM(beam)) <= 1.5; },
      [](std::uint32_t) { return true; });
}

}  // namespace understory
