// Shading of instances by their models.
#include "surfaces/instanceShading.h"

#include <algorithm>
#include <cstddef>
#include <functional>

#include "core/scene/sway.h"

namespace understory {
namespace {

bool hasOneMaterial(const Model& model) {
  const std::vector<std::uint16_t>& materials = model.mesh.materialOfTriangle;
  return std::adjacent_find(materials.begin(), materials.end(), std::not_equal_to<>()) ==
         materials.end();
}

// Turns of the model's frame; `ofModel` has its materials already.
InstanceShading shadingOf(const Quatd& turn, std::uint16_t classId,
                          const InstanceShading& ofModel) {
  InstanceShading shading = ofModel;
  const Mat3d rotation = matrixOf(turn);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      shading.worldFromModel[4 * column + row] = static_cast<float>(rotation[row][column]);
    }
  }
  shading.classId = classId;
  return shading;
}

std::vector<InstanceShading> shadingOfModels(const Scene& scene) {
  std::vector<InstanceShading> ofModel;
  for (const Model& model : scene.models) {
    const std::vector<std::uint16_t>& materials = model.mesh.materialOfTriangle;
    InstanceShading& shading = ofModel.emplace_back();
    shading.material = materials.empty() ? model.volumeMaterial : materials.front();
    shading.materialOfTriangle = hasOneMaterial(model) ? nullptr : materials.data();
  }
  return ofModel;
}

}  // namespace

InstanceShadings::InstanceShadings(const Scene& scene) : scene_(scene) {
  const std::vector<InstanceShading> ofModel = shadingOfModels(scene);
  instances_.reserve(scene.instances.size());
  for (const Instance& instance : scene.instances) {
    const bool isStill = !instance.isMoving() && !sways(scene, instance);
    instances_.push_back(shadingOf(isStill ? instance.rotation : Quatd{}, instance.classId,
                                   ofModel[instance.model]));
  }
  for (const Landscape& landscape : scene.landscapes) {
    auto& ofLandscape = tiles_.emplace_back();
    for (const std::vector<TilePlant>& tile : landscape.tiles) {
      std::vector<InstanceShading>& ofTile = ofLandscape.emplace_back();
      for (const TilePlant& plant : tile) {
        ofTile.push_back(shadingOf(plant.rotation, plant.classId, ofModel[plant.model]));
      }
    }
  }
}

const InstanceShading& InstanceShadings::ofPlant(std::uint32_t number) const {
  const Landscape& landscape = scene_.landscapeOf(number);
  const PlantIndices place = landscape.placeOf(number);
  const auto index = static_cast<std::size_t>(&landscape - scene_.landscapes.data());
  return tiles_[index][landscape.tileOf[place.square]][place.plant];
}

}  // namespace understory
