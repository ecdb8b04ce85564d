// The wood of a sized plant: stems, and orders of branches that reach to the outline of its crown.
#pragma once

#include <cstdint>
#include <vector>

#include "contract/plantRecipe.h"
#include "core/plants/stem.h"

namespace understory {

struct SizedWood {
  Stem stem;  // order 0: stems, 1: boughs …
  std::uint32_t sides = 3;
  bool isDead = false;  // without leaves
};

// Stems first, the thickest before the others. Radii of stems are those of stemRadiusAt without flare.
std::vector<SizedWood> growSizedSkeleton(const SizedPlantParameters& plant, std::uint64_t seed);

// A paraboloid up to the base of the crown, a cone above, of one slope where they meet; half of diameterM at
// diameterAtM. `heightM` of the stem's top.
double stemRadiusAt(const SizedPlantParameters& plant, double zM);

// Branches that a plant has, if every parent is as long as the longest.
double maxSizedBranches(const SizedPlantParameters& plant, std::size_t order);

}  // namespace understory
