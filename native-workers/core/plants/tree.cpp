// A broad-leaved tree: the skeleton of Weber and Penn (treeSkeleton.h) with wood about its stems and
// leaves along its twigs.
#include <algorithm>

#include "core/plants/generators.h"
#include "core/plants/leafGrowth.h"
#include "core/plants/treeSkeleton.h"

namespace understory {

std::uint64_t predictTriangles(const TreeParameters& tree) {
  double stems = 1.0;
  double triangles = 0.0;
  for (std::size_t order = 0; order <= tree.levels.size(); ++order) {
    if (order > 0) stems *= tree.levels[order - 1].branches;
    const StemShape shape = stemShapeOf(tree, order);
    triangles += stems * shape.sides * (2.0 * shape.segments - 1.0);
  }
  triangles += stems * tree.leaves.perTwig * tree.leaves.triangles;
  // Shorter parents bear fewer branches, so this is the most that can come out.
  return static_cast<std::uint64_t>(std::min(triangles, 1e18));
}

GrownPlant grow(const TreeParameters& tree, std::uint64_t seed, const MaterialIndices& materials,
                Meter& meter) {
  const std::uint16_t leaf = materialOf(materials, tree.leaves.material);
  const std::uint16_t bark = materialOf(materials, tree.barkMaterial);
  GrownPlant grown;
  grown.builder.meter = &meter;
  grown.barkMaterial = bark;
  const std::vector<Stem> stems = growSkeleton(tree, seed);
  for (const Stem& stem : stems) {
    addWood(grown.builder, stem, stemShapeOf(tree, stem.order).sides, bark);
  }
  constexpr std::uint64_t leafStreams = std::uint64_t{2} << 32U;
  constexpr double bareShareOfTwig = 0.1;
  LeafGrowth leaves(grown, tree.leaves, leaf, seed);
  for (std::size_t index = 0; index < stems.size(); ++index) {
    if (stems[index].order != tree.levels.size()) continue;
    RandomStream random(seed, RandomPurpose::plant, leafStreams + index);
    leaves.addAlong(stems[index], bareShareOfTwig, random);
  }
  leaves.finish();
  grown.builder.meter = nullptr;
  return grown;
}

}  // namespace understory
