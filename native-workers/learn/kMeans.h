// k-means of a few thousand points (Lloyd 1982), with starts at random points (Hamerly and Elkan 2002).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/maths/maths.h"
#include "core/random/philox.h"

namespace understory {

struct KMeansOptions {
  std::uint32_t means = 10;
  std::uint32_t minPoints = 1;  // a mean with fewer is dropped
  std::uint32_t restarts = 3;
  std::uint32_t iterations = 30;
};

// The mean nearest to each point, the first of several.
void nearestMeans(std::span<const Vec3f> means, std::span<const Vec3f> points,
                  std::uint32_t* nearest);

// Means of the best start: at most options.means, at least one where there are points.
std::vector<Vec3f> kMeans(std::span<const Vec3f> points, const KMeansOptions& options,
                          RandomStream& random);

}  // namespace understory
