// Leaves at once, or chosen from all candidates.
#include "core/plants/leafGrowth.h"

#include "core/plants/leafProfile.h"

namespace understory {

void LeafGrowth::addAlong(const Stem& twig, double fromShare, RandomStream& random) {
  forEachLeafAlong(twig, fromShare, leaves_, random, [this](const LeafShape& leaf) {
    if (leaves_.areaDensity.empty()) {
      addLeaf(grown_.builder, leaf, leaves_.triangles, material_);
    } else {
      candidates_.push_back(leaf);
    }
  });
}

void LeafGrowth::finish() {
  const bool isDistinct = grown_.barkMaterial != material_;
  if (leaves_.areaDensity.empty()) {
    if (isDistinct) grown_.foliage = measureFoliage(grown_.builder.mesh, material_);
    return;
  }
  const ChosenLeaves chosen =
      chooseLeaves(candidates_, leaves_.areaDensity, leaves_.triangles, seed_);
  for (const LeafShape& leaf : chosen.leaves) {
    addLeaf(grown_.builder, leaf, leaves_.triangles, material_);
  }
  if (isDistinct) {
    grown_.foliage = measureFoliage(grown_.builder.mesh, material_, &chosen.crown);
  }
}

}  // namespace understory
