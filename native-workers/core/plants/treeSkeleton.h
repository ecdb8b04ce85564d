// The stems of a tree by Weber and Penn, "Creation and Rendering of Realistic Trees", SIGGRAPH 1995:
// trunk, and orders of branches whose numbers, lengths, angles and bends follow from a few parameters
// for each order. Without stem splits; bends vary about both cross axes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/plants/plantRecipe.h"
#include "core/plants/stem.h"

namespace understory {

// All stems, the trunk first, then order by order; the last order are the twigs.
std::vector<Stem> growSkeleton(const TreeParameters& tree, std::uint64_t seed);

}  // namespace understory
