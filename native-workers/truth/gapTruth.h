// Gap fractions of a plot by zenith angle: rays from the ground up through its plants. The plot repeats itself on all
// sides, so that the same plants are met as its voxels have, at every zenith angle.
#pragma once

#include <cstdint>
#include <vector>

#include "core/watch.h"
#include "jobs/tracedScene.h"

namespace understory {

struct GapRequest {
  Vec3d minM;  // rays start at the ground, not below minM.z, and end at maxM.z
  Vec3d maxM;
  std::uint64_t rays = 0;  // of all zenith angles together
  std::uint64_t seed = 0;
};

struct GapTruth {
  std::uint64_t raysPerZenith = 0;
  // By step of zenithOfStep: share of the rays that meets no part of a plant, and that meets no leaf.
  std::vector<double> gapFraction;
  std::vector<double> leafGapFraction;
};

// The same numbers on any number of threads. Phase 'gaps' in rays; throws 'cancelled'.
GapTruth gapTruth(const TracedScene& scene, const GapRequest& request, const Watch& watch);

}  // namespace understory
