// From the recipe to models with triangles, instances on the ground, and scatters.
#include "core/assembly/assemble.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "contract/contract.h"
#include "contract/sceneRecipe.h"
#include "core/assembly/doubleCounting.h"
#include "core/assembly/landscapes.h"
#include "core/assembly/lying.h"
#include "core/assembly/memoryEstimate.h"
#include "core/assembly/meshCache.h"
#include "core/assembly/modelSource.h"
#include "core/assembly/scatter.h"
#include "core/error.h"
#include "core/learned/elementShape.h"
#include "core/learned/learnedModel.h"
#include "core/scene/footprint.h"
#include "core/scene/heightField.h"
#include "core/scene/sceneHash.h"
#include "core/voxels/voxelGrid.h"

namespace understory {

namespace {

void report(const AssembleOptions& options, const char* phase, std::size_t done,
            std::size_t total) {
  if (options.watch.onProgress) options.watch.onProgress(phase, done, total);
}

std::string megabytes(std::uint64_t bytes) {
  return std::to_string((bytes + 999'999) / 1'000'000) + " MB";
}

void refuseAboveLimit(std::uint64_t triangles, std::uint64_t instances, std::uint64_t limitBytes) {
  const std::uint64_t neededBytes =
      estimateModelBytes(triangles) + estimateInstanceBytes(instances);
  if (neededBytes <= limitBytes) return;
  throw UnderstoryError(ErrorCode::sceneTooLarge,
                        "the scene needs about " + megabytes(neededBytes) + " for " +
                            std::to_string(triangles) + " unique triangles and " +
                            std::to_string(instances) + " instances; the limit is " +
                            megabytes(limitBytes),
                        {{"neededBytes", neededBytes},
                         {"limitBytes", limitBytes},
                         {"uniqueTriangles", triangles},
                         {"instances", instances}});
}

std::uint64_t countInstances(const SceneRecipe& recipe) {
  std::uint64_t instances = recipe.instances.size();
  for (const ScatterRecipe& scatter : recipe.scatters) instances += scatter.count;
  // Squares and plants of tiles in place of the plants of squares.
  for (const LandscapeRecipe& landscape : recipe.landscapes) {
    instances += std::uint64_t{landscape.columns} * landscape.rows;
    for (const TileRecipe& tile : landscape.tiles) {
      instances += tile.plants.size();
      for (const ScatterRecipe& scatter : tile.scatters) instances += scatter.count;
    }
  }
  return instances;
}

void extendToElements(const LearnedModel& learned, Boundsf& bounds) {
  const LearnedElements& elements = learned.elements;
  for (std::size_t index = 0; index < elements.size(); ++index) {
    const auto reachM = [&](std::size_t at) {
      return static_cast<float>(elementLimit(learned, index)) *
             std::sqrt(elements.covariancesM2[index][at]);
    };
    const Vec3f half{reachM(0), reachM(3), reachM(5)};
    extend(bounds, elements.meansM[index] - half);
    extend(bounds, elements.meansM[index] + half);
  }
  for (const Vec3f positionM : learned.points.positionsM) extend(bounds, positionM);
}

Model makeModel(const ModelRecipe& recipe, const SceneRecipe& scene,
                std::span<const float> heightsM, const AssembleOptions& options) {
  ModelTriangles source = cachedModelTriangles(recipe.source, scene.materials.size(), heightsM,
                                               options.meshStore, options.watch);
  Model model;
  model.name = recipe.name;
  model.mesh = std::move(source.builder.mesh);
  model.centreM = source.builder.centreM.value_or(Vec3d{});
  model.degenerateTriangles = source.builder.degenerateTriangles;
  model.nonPlanarFaces = source.builder.nonPlanarFaces;
  model.selfIntersectingFaces = source.builder.selfIntersectingFaces;
  model.blades = source.blades;
  model.foliage = std::move(source.foliage);
  model.isPlant = std::holds_alternative<PlantSource>(recipe.source.shape);
  model.isLitter = std::holds_alternative<LitterSource>(recipe.source.shape);
  model.barkMaterial = source.barkMaterial;
  model.learned = std::move(source.learned);
  model.voxels = std::move(source.voxels);
  model.volumeHash = std::move(source.volumeHash);
  model.volumeMaterial = source.volumeMaterial;
  model.bounds = boundsOf(model.mesh);
  if (model.learned) extendToElements(*model.learned, model.bounds);
  if (model.voxels) model.bounds = model.voxels->grid.space.bounds();
  // A flat model has no root to sway about, and learned models do not sway.
  model.sways =
      recipe.sways && !model.learned && !model.voxels && model.bounds.max.z > model.bounds.min.z;
  if (recipe.solid != Solid::none) {
    model.footprint =
        footprintOf(model.mesh, recipe.solid == Solid::wood ? source.barkMaterial : -1);
  }
  return model;
}

void makeModels(const SceneRecipe& recipe, std::span<const float> heightsM,
                const AssembleOptions& options, Scene& scene) {
  std::uint64_t triangles = 0;
  const std::uint64_t instances = countInstances(recipe);
  for (const ModelRecipe& model : recipe.models) triangles += predictTriangles(model.source);
  refuseAboveLimit(triangles, instances, options.memoryLimitBytes);
  triangles = 0;
  for (const ModelRecipe& model : recipe.models) {
    options.watch.throwIfCancelled();
    report(options, "models", scene.models.size(), recipe.models.size());
    scene.models.push_back(makeModel(model, recipe, heightsM, options));
    triangles += scene.models.back().mesh.triangles.size();
    refuseAboveLimit(triangles, instances, options.memoryLimitBytes);
  }
  report(options, "models", scene.models.size(), recipe.models.size());
}

Instance instanceOf(const InstanceRecipe& recipe) {
  const auto& [x, y, z, w] = recipe.rotation;
  return {recipe.id,
          recipe.model,
          recipe.class_,
          Vec3d{recipe.positionM[0], recipe.positionM[1], recipe.positionM[2]},
          normalized(Quatd{x, y, z, w}),
          recipe.scale,
          recipe.motion.value_or(noMotion)};
}

// Height of the ground's surface; 0 everywhere without a ground.
GroundHeight groundHeightOf(const SceneRecipe& recipe, std::span<const float> heightsM) {
  if (recipe.ground < 0) return [](double, double) { return 0.0; };
  const InstanceRecipe& ground = recipe.instances[static_cast<std::size_t>(recipe.ground)];
  const Instance placed = instanceOf(ground);
  if (ground.onGround || std::abs(placed.rotation.w) < 1.0 - 1e-12 || placed.scale != 1.0) {
    throw UnderstoryError(ErrorCode::badInput,
                          "scene recipe: expected a ground that is not turned, scaled or itself "
                          "on the ground");
  }
  const Vec3d origin = placed.positionM;
  const auto* const source =
      std::get_if<HeightFieldSource>(&recipe.models[placed.model].source.shape);
  if (source == nullptr) {
    return [origin](double, double) { return origin.z; };
  }
  const auto field = std::make_shared<const HeightField>(heightFieldOf(*source, heightsM));
  return [origin, field](double xM, double yM) {
    return origin.z + heightAt(*field, xM - origin.x, yM - origin.y);
  };
}

std::string kilometres(double wholeM) {
  return std::to_string(std::lround(wholeM / 1000.0)) + " km";
}

// Moves instances of a mesh whose own coordinates were recentred to where the file has them. Throws 'bad-input' for one
// that is too far from the origin of the scene: here, since only the file says where it lies.
void recentre(Instance& instance, const SceneRecipe& recipe, const Scene& scene) {
  const Model& model = scene.models[instance.model];
  const bool isFile =
      std::holds_alternative<MeshSource>(recipe.models[instance.model].source.shape);
  if (!isFile) return;
  instance.positionM =
      instance.positionM + rotate(instance.rotation, model.centreM * instance.scale);
  const double distanceM =
      std::hypot(instance.positionM.x, instance.positionM.y, instance.positionM.z);
  if (distanceM <= bounds::maxFromOriginM + bounds::farMeshAllowanceM) return;
  throw UnderstoryError(ErrorCode::badInput,
                        "model '" + model.name + "': expected instances within " +
                            kilometres(bounds::maxFromOriginM) + " of scene.origin, " +
                            kilometres(bounds::farMeshAllowanceM) +
                            " more for the coordinates in its file, found one " +
                            std::to_string(distanceM / 1000.0) +
                            " km away; scene.origin is a world position near the scene",
                        {{"model", model.name}});
}

void placeInstances(const SceneRecipe& recipe, const GroundHeight& groundHeight,
                    const AssembleOptions& options, Scene& scene) {
  for (const InstanceRecipe& item : recipe.instances) {
    Instance instance = instanceOf(item);
    recentre(instance, recipe, scene);
    if (item.liesOnGround) {
      layOnGround(scene.models[instance.model].bounds, groundHeight, instance);
    } else if (item.onGround) {
      instance.positionM.z += groundHeight(instance.positionM.x, instance.positionM.y);
    }
    scene.instances.push_back(instance);
  }
  for (std::uint32_t index = 0; index < recipe.scatters.size(); ++index) {
    const ScatterRecipe& scatter = recipe.scatters[index];
    std::vector<Instance> copies =
        placeScatter(scatter, index, recipe.seed, groundHeight, options.watch);
    options.watch.throwIfCancelled();
    for (Instance& copy : copies) recentre(copy, recipe, scene);
    scene.instances.insert(scene.instances.end(), copies.begin(), copies.end());
    scene.scatters.push_back({scatter.name, scatter.count, copies.size()});
  }
  const auto hasSmallerId = [](const Instance& a, const Instance& b) { return a.id < b.id; };
  std::sort(scene.instances.begin(), scene.instances.end(), hasSmallerId);
  const auto repeated =
      std::adjacent_find(scene.instances.begin(), scene.instances.end(),
                         [](const Instance& a, const Instance& b) { return a.id == b.id; });
  if (repeated != scene.instances.end()) {
    throw UnderstoryError(ErrorCode::badInput, "scene recipe: two instances have the id " +
                                                   std::to_string(repeated->id));
  }
}

// Legs of a ray that mirrors or water turn would meet elements along lines of their own. Throws 'unsupported' for a
// scene that places both.
void refuseTurnedRays(const Scene& scene) {
  std::vector<bool> isPlaced(scene.models.size(), false);
  for (const Instance& instance : scene.instances) isPlaced[instance.model] = true;
  for (const Landscape& landscape : scene.landscapes) {
    for (const auto& tile : landscape.tiles) {
      for (const TilePlant& plant : tile) isPlaced[plant.model] = true;
    }
  }
  bool hasElements = false;
  const Model* turning = nullptr;
  std::string material;
  for (std::size_t index = 0; index < scene.models.size(); ++index) {
    const Model& model = scene.models[index];
    if (!isPlaced[index]) continue;
    if (model.learned) {
      hasElements |= model.learned->elements.size() + model.learned->points.size() > 0;
      continue;
    }
    for (const std::uint16_t of : model.mesh.materialOfTriangle) {
      const SurfaceKind kind = scene.materials[of].surface.kind;
      if (kind != SurfaceKind::mirror && kind != SurfaceKind::glass && kind != SurfaceKind::water) {
        continue;
      }
      turning = &model;
      material = scene.materials[of].name;
      break;
    }
  }
  if (!hasElements || turning == nullptr) return;
  throw UnderstoryError(ErrorCode::unsupported,
                        "model '" + turning->name + "' has material '" + material +
                            "', a mirror, glass or water: pulses that it turns do not meet "
                            "learned elements, so a scene has one or the other",
                        {{"model", turning->name}, {"material", material}});
}

// Throws 'unsupported' for leaves in voxels that let light through or turn it.
void refuseClearLeaves(const Scene& scene) {
  for (const Model& model : scene.models) {
    if (!model.voxels) continue;
    const Material& material = scene.materials[model.volumeMaterial];
    const SurfaceKind kind = material.surface.kind;
    const bool isOpaque = material.gapFraction == 0.0 && kind != SurfaceKind::mirror &&
                          kind != SurfaceKind::glass && kind != SurfaceKind::water;
    if (isOpaque) continue;
    throw UnderstoryError(ErrorCode::unsupported,
                          "model '" + model.name + "': expected voxels of an opaque material, '" +
                              material.name + "' has a gap fraction or turns light",
                          {{"model", model.name}, {"material", material.name}});
  }
}

}  // namespace

Scene assembleScene(const nlohmann::json& recipeJson, std::span<const float> heightsM,
                    const AssembleOptions& options) {
  const SceneRecipe recipe = readObject(recipeJson, "recipe", readSceneRecipe);
  Scene scene;
  scene.materials = recipe.materials;
  scene.atmosphere = recipe.atmosphere;
  scene.weather = recipe.weather;
  scene.wind = recipe.wind;
  scene.windSeed = recipe.seed;
  scene.mirrorDepth = recipe.mirrorDepth;
  scene.classes = recipe.classes;
  scene.motions = recipe.motions;
  makeModels(recipe, heightsM, options, scene);
  scene.groundHeightM = groundHeightOf(recipe, heightsM);
  placeInstances(recipe, scene.groundHeightM, options, scene);
  addLandscapes(recipe, scene, options.watch);
  refuseTurnedRays(scene);
  refuseClearLeaves(scene);
  refuseDoubleCounting(recipe, scene, options.watch);
  options.watch.throwIfCancelled();
  scene.hash = hashScene(scene);
  return scene;
}

}  // namespace understory
