// Levels of detail: a mesh of few triangles that looks, from afar, like one of many. A share of thousands of small
// parts is saved and enlarged, so that the area of every material stays (Cook, Halstead, Planck & Ryu 2007, "Stochastic
// simplification of aggregate detail"); large parts lose corners.
#pragma once

#include <cstddef>

#include "core/detail/meshParts.h"

namespace understory {

// At most `maxTriangles` (50 or more) triangles: the whole mesh where it has no more. Keeps each material's area
// and the bounds within a few per cent where the budget allows a shape at all, and never leaves the bounds. A pure
// function of the mesh and the number: what is kept is chosen by counter-based random numbers. Throws 'cancelled'.
Mesh simplify(const MeshParts& parts, std::size_t maxTriangles, const Watch& watch);

}  // namespace understory
