// Leaves at random in a box: a canopy of known leaf area, whose beams follow the law of Beer and Lambert where its leaves
// are small and lie at independent places, and depart from it where they lie in clumps. A function of its parameters and
// its seed.
#pragma once

#include <cstdint>

#include "contract/modelRecipe.h"
#include "core/scene/meshBuilder.h"
#include "core/watch.h"

namespace understory {

std::uint64_t trianglesOf(const LeafDiscsSource& discs);

// The box stands on z = 0, centred at x = y = 0. Leaves are flat polygons with the area of a disc of leafSizeM; their
// normals have the angles of the law at any azimuth. The middles of clumps are uniform in the box, and those of the
// leaves of a clump in a ball about its middle; of one leaf each, they are those of the leaves. Phase 'growing' of
// `watch` in leaves. Throws 'cancelled'.
MeshBuilder makeLeafDiscs(const LeafDiscsSource& discs, const Watch& watch);

}  // namespace understory
