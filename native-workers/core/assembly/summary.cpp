// Summaries as JSON, instances as columns.
#include "core/assembly/summary.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "core/assembly/memoryEstimate.h"
#include "core/learned/learnedModel.h"
#include "core/voxels/voxelGrid.h"

namespace understory {

namespace {

using nlohmann::json;

// An empty box (a model or scene without triangles) is reported as the origin.
json cornerJson(const Boundsf& bounds, Vec3f corner) {
  if (isEmpty(bounds)) return {0.0, 0.0, 0.0};
  return {corner.x, corner.y, corner.z};
}

json footprintJson(const std::vector<Vec2f>& footprint) {
  if (footprint.empty()) return nullptr;
  json corners = json::array();
  for (const Vec2f corner : footprint) corners.push_back({corner.x, corner.y});
  return corners;
}

json foliageJson(const Foliage& foliage) {
  if (foliage.layers.empty()) return nullptr;
  json layers = json::array();
  for (const CrownLayer& layer : foliage.layers) {
    const double volumeM3 = layer.areaM2 * (layer.toM - layer.fromM);
    layers.push_back({{"fromM", layer.fromM},
                      {"toM", layer.toM},
                      {"crownAreaM2", layer.areaM2},
                      {"leafAreaM2", layer.leafAreaM2},
                      {"m2PerM3", volumeM3 > 0.0 ? layer.leafAreaM2 / volumeM3 : 0.0}});
  }
  json projections = json::array();
  for (std::size_t beam = 0; beam < foliage.projections.size(); ++beam) {
    projections.push_back({projectionZenithsDeg[beam], foliage.projections[beam]});
  }
  const double crownAreaM2 = foliage.crownAreaM2;
  return {{"leafAreaM2", foliage.leafAreaM2},
          {"crownVolumeM3", foliage.crownVolumeM3()},
          {"crownAreaM2", crownAreaM2},
          {"leafAreaIndex", crownAreaM2 > 0.0 ? foliage.leafAreaM2 / crownAreaM2 : 0.0},
          {"layers", std::move(layers)},
          {"angleShares", foliage.angleShares},
          {"projections", std::move(projections)}};
}

// The sensor of a learned model's logs, as far as they state it.
json learnedSensorJson(const Model& model) {
  if (!model.learned || !model.learned->sensor) return nullptr;
  const LearnedSensor& sensor = *model.learned->sensor;
  json detection;
  if (sensor.detection) {
    detection = {{"reflectance", sensor.detection->reflectance},
                 {"rangeM", sensor.detection->rangeM},
                 {"probability", sensor.detection->probability},
                 {"falseAlarmsPerPulse", sensor.detection->falseAlarmsPerPulse}};
  }
  return {{"id", sensor.id}, {"detection", std::move(detection)}};
}

// The coordinate reference system of a learned model's logs.
json learnedCrsJson(const Model& model) {
  return model.learned && !model.learned->crs.empty() ? json(model.learned->crs) : json();
}

std::size_t elementsOf(const Model& model) {
  if (model.learned) return model.learned->elements.size() + model.learned->points.size();
  if (!model.voxels) return 0;
  const std::vector<float>& densities = model.voxels->grid.densityPerM;
  return static_cast<std::size_t>(
      std::ranges::count_if(densities, [](float density) { return density > 0.0F; }));
}

std::uint64_t memoryOf(const Model& model) {
  if (model.voxels) return sizeof(float) * model.voxels->grid.densityPerM.size();
  return estimateModelBytes(model.mesh.triangles.size()) + estimateElementBytes(elementsOf(model));
}

json modelJson(const Model& model, std::size_t instances) {
  return {{"name", model.name},
          {"vertices", model.mesh.vertices.size()},
          {"triangles", model.mesh.triangles.size()},
          {"degenerate", model.degenerateTriangles},
          {"nonPlanar", model.nonPlanarFaces},
          {"selfIntersecting", model.selfIntersectingFaces},
          {"instances", instances},
          {"memoryBytes", memoryOf(model)},
          {"minM", cornerJson(model.bounds, model.bounds.min)},
          {"maxM", cornerJson(model.bounds, model.bounds.max)},
          {"footprintM", footprintJson(model.footprint)},
          {"blades", model.blades},
          {"elements", elementsOf(model)},
          {"learnedSensor", learnedSensorJson(model)},
          {"learnedCrs", learnedCrsJson(model)},
          {"foliage", foliageJson(model.foliage)}};
}

// Box of an instance in the world.
Boundsf instanceBounds(const Scene& scene, const Instance& instance) {
  const Boundsf& model = scene.models[instance.model].bounds;
  if (isEmpty(model)) return {toFloat(instance.positionM), toFloat(instance.positionM)};
  return worldBounds({instance.positionM, instance.rotation, instance.scale}, model);
}

}  // namespace

Boundsf sceneBounds(const Scene& scene) {
  Boundsf bounds;
  for (const Instance& instance : scene.instances) {
    const Boundsf box = instanceBounds(scene, instance);
    extend(bounds, box.min);
    extend(bounds, box.max);
  }
  for (const Landscape& landscape : scene.landscapes) {
    if (isEmpty(landscape.bounds)) continue;
    extend(bounds, landscape.bounds.min);
    extend(bounds, landscape.bounds.max);
  }
  return bounds;
}

namespace {

// Instances that take memory: squares and plants of tiles in place of the plants of squares.
std::uint64_t storedInstances(const Scene& scene) {
  std::uint64_t count = scene.instances.size();
  for (const Landscape& landscape : scene.landscapes) {
    count += landscape.squares();
    for (const std::vector<TilePlant>& tile : landscape.tiles) count += tile.size();
  }
  return count;
}

}  // namespace

json summariseScene(const Scene& scene) {
  std::vector<std::size_t> instancesOfModel(scene.models.size(), 0);
  std::uint64_t instancedTriangles = 0;
  const Boundsf bounds = sceneBounds(scene);
  for (const Instance& instance : scene.instances) {
    ++instancesOfModel[instance.model];
    instancedTriangles += scene.models[instance.model].mesh.triangles.size();
  }
  for (const Landscape& landscape : scene.landscapes) {
    const std::vector<std::uint64_t> plants = landscape.plantsByModel(scene.models.size());
    for (std::size_t model = 0; model < plants.size(); ++model) {
      instancesOfModel[model] += plants[model];
      instancedTriangles += plants[model] * scene.models[model].mesh.triangles.size();
    }
  }
  std::uint64_t uniqueTriangles = 0;
  std::uint64_t degenerateTriangles = 0;
  std::uint64_t modelBytes = 0;
  json models = json::array();
  for (std::size_t index = 0; index < scene.models.size(); ++index) {
    const Model& model = scene.models[index];
    uniqueTriangles += model.mesh.triangles.size();
    degenerateTriangles += model.degenerateTriangles;
    modelBytes += memoryOf(model);
    models.push_back(modelJson(model, instancesOfModel[index]));
  }
  json scatters = json::array();
  for (const ScatterOutcome& scatter : scene.scatters) {
    scatters.push_back(
        {{"name", scatter.name}, {"requested", scatter.requested}, {"placed", scatter.placed}});
  }
  return {{"instancedTriangles", instancedTriangles},
          {"uniqueTriangles", uniqueTriangles},
          {"degenerateTriangles", degenerateTriangles},
          {"instances", scene.countInstances()},
          {"models", std::move(models)},
          {"scatters", std::move(scatters)},
          {"minM", cornerJson(bounds, bounds.min)},
          {"maxM", cornerJson(bounds, bounds.max)},
          {"memoryBytes", modelBytes + estimateInstanceBytes(storedInstances(scene))},
          {"sceneHash", scene.hash},
          {"buildSeconds", 0.0}};
}

namespace {

void addRow(const Scene& scene, const Instance& instance, InstanceColumns& columns) {
  columns.instanceId.push_back(instance.id);
  columns.modelId.push_back(instance.model);
  columns.classId.push_back(instance.classId);
  columns.xM.push_back(instance.positionM.x);
  columns.yM.push_back(instance.positionM.y);
  columns.zM.push_back(instance.positionM.z);
  columns.qx.push_back(instance.rotation.x);
  columns.qy.push_back(instance.rotation.y);
  columns.qz.push_back(instance.rotation.z);
  columns.qw.push_back(instance.rotation.w);
  columns.scale.push_back(instance.scale);
  const Boundsf box = instanceBounds(scene, instance);
  columns.minXM.push_back(box.min.x);
  columns.minYM.push_back(box.min.y);
  columns.minZM.push_back(box.min.z);
  columns.maxXM.push_back(box.max.x);
  columns.maxYM.push_back(box.max.y);
  columns.maxZM.push_back(box.max.z);
}

}  // namespace

InstanceColumns instanceColumns(const Scene& scene, std::size_t firstRow, std::size_t maxRows) {
  InstanceColumns columns;
  const std::size_t from = std::min(firstRow, scene.instances.size());
  const std::size_t count = std::min(maxRows, scene.instances.size() - from);
  for (const Instance& instance : std::span(scene.instances).subspan(from, count)) {
    addRow(scene, instance, columns);
  }
  return columns;
}

InstanceColumns plantColumns(const Scene& scene, std::span<const std::uint32_t> ids) {
  InstanceColumns columns;
  for (const std::uint32_t id : ids) {
    for (const Landscape& landscape : scene.landscapes) {
      if (id < landscape.firstId || id - landscape.firstId >= landscape.numbers()) continue;
      const std::uint32_t number = landscape.firstNumber + (id - landscape.firstId);
      const PlantIndices place = landscape.placeOf(number);
      const bool isThere = place.plant < landscape.plantsOf(place.square).size();
      if (isThere && !landscape.isLeftOut(place)) addRow(scene, scene.instanceAt(number), columns);
    }
  }
  return columns;
}

}  // namespace understory
