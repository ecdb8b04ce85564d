// The shown part of a learned model that has more elements or triangles than can be drawn.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/learned/learnedModel.h"
#include "core/watch.h"

namespace understory {

// At most `maxElements`, in their order: those of the largest area times (1 - permeability), less where few beams
// observed them, as they look from `eyeM`; without it from far away.
std::vector<std::uint32_t> elementsToShow(const LearnedElements& elements, std::size_t maxElements,
                                          std::optional<Vec3d> eyeM);

// L of L·Lᵀ = Σ, lower triangle by rows: xx, yx, yy, zx, zy, zz. L times a unit sphere is the ellipsoid of one σ.
std::array<float, 6> choleskyFactor(const Symmetric3f& covarianceM2);

struct SurfaceView {
  std::vector<std::uint32_t> triangles;        // of the model
  std::vector<std::array<Vec3f, 3>> cornersM;  // of each
  double cellM = 0.0;                          // corners were gathered in cells of this edge
};

// At most `maxTriangles`. Where there are more, corners are gathered in the cells of a grid, the finest that leaves
// few enough (Rossignac & Borrel 1993), and each corner is the mean of its cell. Throws 'cancelled'.
SurfaceView surfaceToShow(const LearnedSurface& surface, std::size_t maxTriangles,
                          const Watch& watch);

}  // namespace understory
