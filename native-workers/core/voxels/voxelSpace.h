// A grid of voxels along the axes, and the voxels that a line passes (Amanatides and Woo 1987).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/maths/maths.h"

namespace understory {

struct VoxelSpace {
  Vec3d minM;
  std::array<double, 3> voxelM{};        // edges
  std::array<std::uint32_t, 3> split{};  // voxels along x, y, z

  std::uint64_t voxels() const { return std::uint64_t{split[0]} * split[1] * split[2]; }
  std::uint64_t columns() const { return std::uint64_t{split[0]} * split[1]; }
  // k fastest, then j, then i.
  std::uint64_t indexOf(const std::array<std::uint32_t, 3>& voxel) const {
    return (std::uint64_t{voxel[0]} * split[1] + voxel[1]) * split[2] + voxel[2];
  }
  Boundsf bounds() const {
    return {toFloat(minM), toFloat({minM.x + voxelM[0] * split[0], minM.y + voxelM[1] * split[1],
                                    minM.z + voxelM[2] * split[2]})};
  }
};

// A line in voxels from the corner of a space.
struct VoxelLine {
  std::array<double, 3> start{};
  std::array<double, 3> direction{};  // for a unit of the line's length

  VoxelLine(const VoxelSpace& space, Vec3d originM, Vec3d along)
      : start{(originM.x - space.minM.x) / space.voxelM[0],
              (originM.y - space.minM.y) / space.voxelM[1],
              (originM.z - space.minM.z) / space.voxelM[2]},
        direction{along.x / space.voxelM[0], along.y / space.voxelM[1], along.z / space.voxelM[2]} {
  }

  // Calls visit(voxel, fromM, toM) for the voxels of the part between `fromM` and `toM`, in order, until it returns false.
  template <typename Visit>
  void walk(const VoxelSpace& space, double fromM, double toM, const Visit& visit) const {
    if (!clip(space.split, fromM, toM)) return;
    std::array<std::uint32_t, 3> voxel{};
    std::array<double, 3> nextM{};
    const auto planeAhead = [&](std::size_t axis) {
      if (direction[axis] == 0.0) return std::numeric_limits<double>::infinity();
      const double plane = static_cast<double>(voxel[axis]) + (direction[axis] > 0.0 ? 1.0 : 0.0);
      return (plane - start[axis]) / direction[axis];
    };
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double at = std::floor(start[axis] + direction[axis] * fromM);
      voxel[axis] = static_cast<std::uint32_t>(
          std::clamp(at, 0.0, static_cast<double>(space.split[axis]) - 1.0));
      nextM[axis] = planeAhead(axis);
    }
    while (fromM < toM) {
      const auto axis = static_cast<std::size_t>(std::ranges::min_element(nextM) - nextM.begin());
      const double leaveM = std::clamp(nextM[axis], fromM, toM);
      if (!visit(voxel, fromM, leaveM)) return;
      fromM = leaveM;
      const bool isUp = direction[axis] > 0.0;
      if (isUp ? voxel[axis] + 1 == space.split[axis] : voxel[axis] == 0) return;
      voxel[axis] += isUp ? 1U : ~0U;
      nextM[axis] = planeAhead(axis);
    }
  }

 private:
  // Shortens a part of the line to what lies in the space; false: nothing does.
  bool clip(const std::array<std::uint32_t, 3>& split, double& fromM, double& toM) const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto high = static_cast<double>(split[axis]);
      if (direction[axis] == 0.0) {
        if (!(start[axis] >= 0.0 && start[axis] < high)) return false;
        continue;
      }
      const double atLow = -start[axis] / direction[axis];
      const double atHigh = (high - start[axis]) / direction[axis];
      fromM = std::max(fromM, std::min(atLow, atHigh));
      toM = std::min(toM, std::max(atLow, atHigh));
    }
    return fromM < toM;
  }
};

}  // namespace understory
