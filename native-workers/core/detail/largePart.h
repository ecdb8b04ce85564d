// One large part with fewer triangles: a stem keeps rings of corners along its length, any other surface one corner
// for each cell of a grid (Rossignac & Borrel 1993).
#pragma once

#include <cstddef>

#include "core/detail/meshParts.h"

namespace understory {

// Fewest triangles that a part can have here: a stem of two rings of three.
inline constexpr std::size_t minLargePartTriangles = 12;

// Adds at most `maxTriangles` (minLargePartTriangles or more) for the part; returns how many. The area of a stem is
// kept.
std::size_t addLargePart(const MeshParts& all, const MeshPart& part, std::size_t maxTriangles,
                         Mesh& mesh);

}  // namespace understory
