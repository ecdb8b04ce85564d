// Triangles cut at the planes of a grid of voxels.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/maths/maths.h"
#include "core/voxels/voxelSpace.h"

namespace understory {

// A convex polygon in voxels: a triangle cut by six planes has nine corners at most.
struct VoxelPiece {
  using Corner = std::array<double, 3>;
  std::array<Corner, 10> corners;
  std::size_t count = 0;

  void add(const Corner& corner) { corners[count++] = corner; }

  // Twice its area, as a vector along its normal.
  Vec3d twiceAreaM2(const VoxelSpace& grid) const {
    Vec3d sum;
    for (std::size_t index = 2; index < count; ++index) {
      sum = sum + cross(sideM(grid, index - 1), sideM(grid, index));
    }
    return sum;
  }
  double highest() const {
    double high = corners[0][2];
    for (std::size_t index = 1; index < count; ++index) high = std::max(high, corners[index][2]);
    return high;
  }

 private:
  Vec3d sideM(const VoxelSpace& grid, std::size_t corner) const {
    return {(corners[corner][0] - corners[0][0]) * grid.voxelM[0],
            (corners[corner][1] - corners[0][1]) * grid.voxelM[1],
            (corners[corner][2] - corners[0][2]) * grid.voxelM[2]};
  }
};

// The part of a piece on one side of a plane: at or above it with `sign` 1, at or below with -1.
inline VoxelPiece cutPiece(const VoxelPiece& piece, std::size_t axis, double plane, double sign) {
  VoxelPiece result;
  for (std::size_t index = 0; index < piece.count; ++index) {
    const VoxelPiece::Corner& a = piece.corners[index];
    const VoxelPiece::Corner& b = piece.corners[index + 1 == piece.count ? 0 : index + 1];
    const double fromA = sign * (a[axis] - plane);
    const double fromB = sign * (b[axis] - plane);
    if (fromA >= 0.0) result.add(a);
    if ((fromA > 0.0 && fromB < 0.0) || (fromA < 0.0 && fromB > 0.0)) {
      VoxelPiece::Corner cut;
      const double share = fromA / (fromA - fromB);
      for (std::size_t other = 0; other < 3; ++other) {
        cut[other] = a[other] + (b[other] - a[other]) * share;
      }
      cut[axis] = plane;
      result.add(cut);
    }
  }
  return result;
}

// Calls use(index, piece) for what each slab of voxels along an axis has of a piece. What lies in the plane between two
// slabs belongs to the upper one, so that it counts once.
template <typename Use>
void forEachSlab(const VoxelPiece& piece, std::size_t axis, std::uint32_t split, const Use& use) {
  double low = piece.corners[0][axis];
  double high = low;
  for (std::size_t index = 1; index < piece.count; ++index) {
    low = std::min(low, piece.corners[index][axis]);
    high = std::max(high, piece.corners[index][axis]);
  }
  const double first = std::floor(low);
  const double last = std::max(first, std::ceil(high) - 1.0);
  const double from = std::max(first, 0.0);
  const double to = std::min(last, static_cast<double>(split) - 1.0);
  if (!(from <= to)) return;
  if (first == last) return use(static_cast<std::uint32_t>(first), piece);
  for (double slab = from; slab <= to; slab += 1.0) {
    VoxelPiece cut = piece;
    if (slab > first) cut = cutPiece(cut, axis, slab, 1.0);
    if (slab < last && cut.count > 2) cut = cutPiece(cut, axis, slab + 1.0, -1.0);
    if (cut.count > 2) use(static_cast<std::uint32_t>(slab), cut);
  }
}

// Calls use(voxel, piece) for what each voxel of the grid has of a triangle; corners in voxels from that of the grid.
template <typename Use>
void forEachVoxel(const VoxelSpace& grid, const std::array<VoxelPiece::Corner, 3>& corners,
                  const Use& use) {
  VoxelPiece whole;
  for (const VoxelPiece::Corner& corner : corners) whole.add(corner);
  forEachSlab(whole, 0, grid.split[0], [&](std::uint32_t i, const VoxelPiece& inX) {
    forEachSlab(inX, 1, grid.split[1], [&](std::uint32_t j, const VoxelPiece& inY) {
      forEachSlab(inY, 2, grid.split[2], [&](std::uint32_t k, const VoxelPiece& inZ) {
        use(std::array{i, j, k}, inZ);
      });
    });
  });
}

}  // namespace understory
