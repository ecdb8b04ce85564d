// A trunk, a bough or a pole with fewer triangles: rings of corners along its length, of its surface's whole area.
#pragma once

#include <cstddef>

#include "core/detail/meshParts.h"
#include "core/detail/partCorners.h"

namespace understory {

// Long, and closed around.
bool isStem(const MeshPart& part);

// Adds at most `maxTriangles` for the stem; returns how many. 0: it cannot be told with so few.
std::size_t addStem(const MeshParts& all, const MeshPart& part, const PartCorners& corners,
                    std::size_t maxTriangles, Mesh& mesh);

}  // namespace understory
