// Leaves and wood of the models of a scene: of a grown plant by its bark material, of other meshes by what their
// materials say.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/scene/scene.h"

namespace understory {

// The part of a plant that triangles of a material are in a model; nothing: no part of one. A plant whose leaves have the
// material of its bark is wood as a whole; the leaves of a voxel model have no triangles, and count for nothing, as does
// litter: leaf area is that of leaves on plants.
inline std::optional<PlantPart> partOf(const Scene& scene, const Model& model,
                                       std::uint16_t material) {
  std::optional<PlantPart> part;
  if (model.voxels || model.isLitter) return part;
  if (model.isPlant) {
    part = material == model.barkMaterial ? PlantPart::wood : PlantPart::leaf;
    return part;
  }
  const Material& surface = scene.materials[material];
  part = surface.part;
  const bool lightPasses = std::ranges::any_of(surface.transmittance.points(),
                                               [](const auto& point) { return point[1] > 0.0; });
  if (!part && lightPasses) part = PlantPart::leaf;
  return part;
}

// Whether any triangle of a model is a part of a plant.
inline bool hasPlantParts(const Scene& scene, const Model& model) {
  const auto& materials = model.mesh.materialOfTriangle;
  if (model.isPlant) return !materials.empty();
  return std::ranges::any_of(
      materials, [&](std::uint16_t of) { return partOf(scene, model, of).has_value(); });
}

}  // namespace understory
