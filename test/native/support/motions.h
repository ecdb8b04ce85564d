// Motions of scenes in tests.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/scene/motions.h"

namespace understory {

// One motion about the origin over `windows` windows from `firstWindow` on.
template <typename PoseAtSeconds>
Motions motionsOf(std::int64_t firstWindow, std::size_t windows, const PoseAtSeconds& poseAt) {
  Motions motions;
  motions.firstWindow = firstWindow;
  std::vector<Pose>& poses = motions.list.emplace_back().steps;
  for (std::size_t step = 0; step <= windows * stepsOfMotionWindow; ++step) {
    const std::int64_t timeNs =
        firstWindow * motionWindowNs + static_cast<std::int64_t>(step) * motionStepNs;
    poses.push_back(poseAt(static_cast<double>(timeNs) * 1e-9));
  }
  return motions;
}

}  // namespace understory
