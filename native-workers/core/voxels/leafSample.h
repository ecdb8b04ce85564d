// Leaves of a voxel model as a view draws them: squares that have its whole leaf area between them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/scene/scene.h"
#include "core/voxels/voxelGrid.h"

namespace understory {

// At most so many triangles, two a leaf; fewer leaves are larger ones. A function of the model alone.
Mesh leafSample(const VoxelModel& model, std::size_t maxTriangles, std::uint16_t material);

}  // namespace understory
