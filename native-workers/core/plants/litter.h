// Dead leaves or needles on a square of ground: flat hexagons at independent places, in random directions, each tilted a
// little. PHYSICS.md, 2.12. A function of its parameters and its seed.
#pragma once

#include <cstdint>

#include "contract/modelRecipe.h"
#include "core/scene/meshBuilder.h"
#include "core/watch.h"

namespace understory {

// Throws 'bad-input' for leaves that a square has no room for.
std::uint64_t trianglesOf(const LitterSource& litter);

// Leaves lie above z = 0, their middles within the square; they reach beyond it by up to half a leaf. Squares side by side
// cover the share of the ground that is asked for, from above. Throws 'cancelled', too.
MeshBuilder makeLitter(const LitterSource& litter, const Watch& watch);

}  // namespace understory
