// The small parts of one material: leaves, blades, twigs. Few are kept, each for its neighbours as well.
#pragma once

#include <cstdint>
#include <vector>

#include "core/detail/meshParts.h"

namespace understory {

// Adds the parts (indices, any order) to `mesh` with at most `maxTriangles` triangles in all, which is 2 at least.
// Each stratum of neighbours, along a curve that fills space, gives one part, chosen by area and widened or enlarged
// to the area of all of them; where triangles are left, parts stay as they are.
void addSmallParts(const MeshParts& all, std::vector<std::uint32_t> parts, std::size_t maxTriangles,
                   Mesh& mesh);

}  // namespace understory
