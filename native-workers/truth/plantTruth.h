// Measures of every plant of a scene, from the triangles of its model (PHYSICS.md, 2.13).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "contract/contract.h"
#include "core/detail/meshParts.h"
#include "core/scene/scene.h"
#include "core/watch.h"
#include "truth/wood.h"

namespace understory {

// A model, unscaled. Nothing: it has none, or it is not known.
struct PlantModelTruth {
  Vec3d footM;  // in the model's frame
  double heightM = 0.0;
  std::optional<double> crownBaseM;
  std::optional<double> crownWidthM;
  std::optional<double> crownVolumeM3;
  std::optional<double> leafAreaM2;
  std::optional<double> woodAreaM2;
  std::optional<double> woodVolumeM3;
  Wood wood{{}};
};

// `mesh`: the model's triangles. Nothing: no triangle is a part of a plant.
std::optional<PlantModelTruth> measurePlant(const Scene& scene, const Model& model,
                                            const MeshView& mesh);

// The plants of a scene, whose models are measured once.
class PlantTruth {
 public:
  // `meshOf(model)`: the triangles of a model, by index. Phase 'plants' in models; throws 'cancelled'.
  template <typename MeshOf>
  PlantTruth(const Scene& scene, const MeshOf& meshOf, const Watch& watch) : scene_(scene) {
    for (std::size_t index = 0; index < scene.models.size(); ++index) {
      watch.throwIfCancelled();
      if (watch.onProgress) watch.onProgress("plants", index, scene.models.size());
      models_.push_back(measurePlant(scene, scene.models[index], meshOf(index)));
    }
  }

  // Adds the row of an instance. False, and nothing is added: it is no plant.
  bool addRow(const Instance& instance, PlantTruthRows& rows) const;

 private:
  const Scene& scene_;
  std::vector<std::optional<PlantModelTruth>> models_;
};

}  // namespace understory
