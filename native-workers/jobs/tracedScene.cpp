// Shading of instances, and the sources in one place.
#include "jobs/tracedScene.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <utility>

#include "core/scene/sway.h"

namespace understory {
namespace {

bool hasOneMaterial(const Model& model) {
  const std::vector<std::uint16_t>& materials = model.mesh.materialOfTriangle;
  return std::adjacent_find(materials.begin(), materials.end(), std::not_equal_to<>()) ==
         materials.end();
}

// `ofModel` has the materials of the instance's model already.
InstanceShading shadingOf(const Scene& scene, const Instance& instance,
                          const InstanceShading& ofModel) {
  InstanceShading shading = ofModel;
  const bool isStill = !instance.isMoving() && !sways(scene, instance);
  const Mat3d rotation = matrixOf(isStill ? instance.rotation : Quatd{});
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) {
      shading.worldFromModel[4 * column + row] = static_cast<float>(rotation[row][column]);
    }
  }
  shading.id = instance.id;
  shading.classId = instance.classId;
  return shading;
}

std::vector<InstanceShading> shadingOfInstances(const Scene& scene) {
  std::vector<InstanceShading> ofModel;
  for (const Model& model : scene.models) {
    const std::vector<std::uint16_t>& materials = model.mesh.materialOfTriangle;
    InstanceShading& shading = ofModel.emplace_back();
    shading.material = materials.empty() ? model.volumeMaterial : materials.front();
    shading.materialOfTriangle = hasOneMaterial(model) ? nullptr : materials.data();
  }
  std::vector<InstanceShading> shading;
  shading.reserve(scene.instances.size());
  for (const Instance& instance : scene.instances) {
    shading.push_back(shadingOf(scene, instance, ofModel[instance.model]));
  }
  return shading;
}

}  // namespace

// Why shading comes last: EmbreeScene checks the indices that it follows.
TracedScene::TracedScene(std::shared_ptr<const EmbreeDevice> device, Scene scene,
                         const Watch& watch, AnySource further)
    : scene_(std::move(scene)),
      triangles_(device, scene_, watch),
      volumes_(hasLearnedElements(scene_)
                   ? std::make_unique<const EmbreeVolumes>(std::move(device), scene_, watch)
                   : nullptr),
      swaying_(triangles_, scene_, watch),
      voxels_(triangles_.device(), scene_, watch),
      further_(std::move(further)),
      resting_(triangles_, scene_, rest_, watch),
      restingVolumes_(MovingVolumes::of(volumes_.get(), scene_, rest_)),
      shading_(shadingOfInstances(scene_)) {}

}  // namespace understory
