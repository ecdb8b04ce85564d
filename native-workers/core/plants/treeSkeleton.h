// The stems of a tree by Weber and Penn, "Creation and Rendering of Realistic Trees", SIGGRAPH 1995:
// trunk, and orders of branches whose numbers, lengths, angles and bends follow from a few parameters
// for each order. Without stem splits; bends vary about both cross axes.
#pragma once

#include <cstdint>
#include <vector>

#include "contract/plantRecipe.h"
#include "core/plants/stem.h"

namespace understory {

// How stems of an order bend, and how finely they are made.
struct StemShape {
  double curveRad = 0.0;
  double curveVariationRad = 0.0;
  std::uint32_t segments = 1;
  std::uint32_t sides = 3;
};

// Orders from 0, the trunk, to the number of levels, the twigs.
StemShape stemShapeOf(const TreeParameters& tree, std::size_t order);

// All stems, the trunk first, then order by order; the last order are the twigs.
std::vector<Stem> growSkeleton(const TreeParameters& tree, std::uint64_t seed);

}  // namespace understory
