// One overload for each kind of source.
#include "core/assembly/modelSource.h"

#include <cmath>
#include <string>
#include <variant>

#include "core/error.h"
#include "core/learned/learnedFile.h"
#include "core/plants/leafDiscs.h"
#include "core/plants/litter.h"
#include "core/plants/plants.h"
#include "core/regularFile.h"
#include "core/scene/primitives.h"
#include "core/scene/rootStep.h"
#include "core/scene/sceneHash.h"
#include "core/voxels/voxelGrid.h"

namespace understory {

namespace {

struct Predict {
  std::uint64_t operator()(const BoxSource&) const { return 12; }
  std::uint64_t operator()(const SphereSource& sphere) const {
    return 4 * std::uint64_t{sphere.rings} * (sphere.rings - 1);
  }
  std::uint64_t operator()(const CylinderSource& cylinder) const {
    return std::uint64_t{cylinder.caps ? 4U : 2U} * cylinder.sides;
  }
  std::uint64_t operator()(const PlaneSource& plane) const {
    return 2 * std::uint64_t{plane.divisions} * plane.divisions;
  }
  std::uint64_t operator()(const RootStepSource& step) const { return trianglesOf(step); }
  std::uint64_t operator()(const LeafDiscsSource& discs) const { return trianglesOf(discs); }
  std::uint64_t operator()(const LitterSource& litter) const { return trianglesOf(litter); }
  std::uint64_t operator()(const HeightFieldSource& field) const {
    return 2 * std::uint64_t{field.columns - 1} * (field.rows - 1);
  }
  std::uint64_t operator()(const PlantSource& plant) const {
    return predictPlantTriangles(plant.plant);
  }
  std::uint64_t operator()(const MeshSource& mesh) const {
    // Bytes of a triangle in a large file, its share of the vertices included; what is read is counted
    // before it goes to Embree.
    const MeshFormat format = mesh.format;
    const std::uint64_t bytesPerTriangle = format == MeshFormat::stl   ? 50
                                           : format == MeshFormat::ply ? 18
                                           // Or of an element, which takes a little more memory.
                                           : format == MeshFormat::learned ? 48
                                                                           : 25;
    return regularFileBytes(mesh.file) / bytesPerTriangle;
  }
};

// The surface of a learned model as a mesh: triangles without area are left out of both, so that a number means the
// same triangle.
MeshBuilder takeSurface(LearnedModel& model, std::uint16_t material) {
  MeshBuilder builder;
  builder.centreM = model.originM;
  for (const Vec3f vertexM : model.surface.verticesM) builder.addVertex(vertexM);
  LearnedSurface kept;
  for (std::size_t index = 0; index < model.surface.size(); ++index) {
    const auto& [a, b, c] = model.surface.triangles[index];
    builder.addTriangle(a, b, c, material);
    if (builder.mesh.triangles.size() == kept.seen.permeability.size()) continue;
    appendObserved(model.surface.seen, index, kept.seen);
  }
  kept.triangles.resize(builder.mesh.triangles.size());
  model.surface = std::move(kept);
  return builder;
}

ModelTriangles learnedTriangles(const MeshFileBytes& file, const MeshSource& mesh,
                                const Watch& watch) {
  const auto bytes = std::as_bytes(std::span(file.text));
  auto model = std::make_shared<LearnedModel>(readLearnedModel(bytes, file.name, watch));
  if (primitivesOf(*model) == 0) {
    throw UnderstoryError(ErrorCode::badInput,
                          file.name + ": expected elements, triangles or points, found none",
                          {{"file", file.name}});
  }
  ModelTriangles made{takeSurface(*model, mesh.material), 0, -1};
  made.learned = std::move(model);
  made.volumeHash = hashOfBytes(bytes);
  made.volumeMaterial = mesh.material;
  return made;
}

ModelTriangles voxelModel(const MeshFileBytes& file, const MeshSource& mesh, const Watch& watch) {
  auto model = std::make_shared<VoxelModel>(VoxelModel{readVoxels(file.text, file.name, watch),
                                                       mesh.leafSizeM, LeafLaw(mesh.leafAngles)});
  ModelTriangles made{{}, 0, -1};
  // As of meshes: far coordinates lose what is far of them before they become singles.
  Vec3d& minM = model->grid.space.minM;
  made.builder.centreM = farPartOf(minM);
  minM = minM - *made.builder.centreM;
  made.volumeHash = nlohmann::json{hashOfBytes(std::as_bytes(std::span(file.text))),
                                   model->leafSizeM, wordOf(mesh.leafAngles)}
                        .dump();
  made.volumeMaterial = mesh.material;
  made.voxels = std::move(model);
  return made;
}

struct Make {
  std::span<const float> heightsM;
  const MeshFileBytes* file;
  const Watch& watch;

  ModelTriangles operator()(const BoxSource& box) const {
    return {makeBox({box.sizeM[0], box.sizeM[1], box.sizeM[2]}, box.material), 0, -1};
  }
  ModelTriangles operator()(const SphereSource& sphere) const {
    return {makeSphere(sphere.radiusM, sphere.rings, sphere.material), 0, -1};
  }
  ModelTriangles operator()(const CylinderSource& cylinder) const {
    return {makeCylinder(cylinder.radiusM, cylinder.heightM, cylinder.sides, cylinder.caps,
                         cylinder.material),
            0, -1};
  }
  ModelTriangles operator()(const PlaneSource& plane) const {
    return {makePlane(plane.sizeM[0], plane.sizeM[1], plane.divisions, plane.material), 0, -1};
  }
  ModelTriangles operator()(const RootStepSource& step) const {
    return {makeRootStep(step, watch), 0, -1};
  }
  ModelTriangles operator()(const LeafDiscsSource& discs) const {
    return {makeLeafDiscs(discs, watch), 0, -1};
  }
  ModelTriangles operator()(const LitterSource& litter) const {
    return {makeLitter(litter, watch), 0, -1};
  }
  ModelTriangles operator()(const HeightFieldSource& field) const {
    return {makeHeightField(heightFieldOf(field, heightsM), field.material), 0, -1};
  }
  ModelTriangles operator()(const PlantSource& source) const {
    GrownPlant plant = growPlant(source.plant, source.seed, source.materials, watch);
    return {std::move(plant.builder), plant.blades, plant.barkMaterial, std::move(plant.foliage)};
  }
  ModelTriangles operator()(const MeshSource& mesh) const {
    if (file == nullptr) {
      throw UnderstoryError(ErrorCode::internal, "a mesh without the bytes of its file");
    }
    if (mesh.format == MeshFormat::learned) return learnedTriangles(*file, mesh, watch);
    if (mesh.format == MeshFormat::voxels) return voxelModel(*file, mesh, watch);
    return {convertMeshFile(*file, mesh, watch), 0, -1};
  }
};

}  // namespace

std::uint64_t predictTriangles(const ModelSource& source) {
  return std::visit(Predict{}, source.shape);
}

MeshFileBytes loadModelFile(const MeshSource& source, const Watch& watch) {
  return loadMeshFile(source.file, source.format, watch, source.textures);
}

ModelTriangles makeModelTriangles(const ModelSource& source, std::span<const float> heightsM,
                                  const MeshFileBytes* file, const Watch& watch) {
  return std::visit(Make{heightsM, file, watch}, source.shape);
}

HeightField heightFieldOf(const HeightFieldSource& source, std::span<const float> heightsM) {
  HeightField field;
  field.columns = source.columns;
  field.rows = source.rows;
  field.originXM = source.originM[0];
  field.originYM = source.originM[1];
  field.stepXM = source.stepM[0];
  field.stepYM = source.stepM[1];
  const std::uint64_t nodes = std::uint64_t{field.columns} * field.rows;
  if (heightsM.size() != nodes) {
    throwBadInput("recipe", "heights",
                  std::to_string(nodes) + " values, found " + std::to_string(heightsM.size()));
  }
  for (const float heightM : heightsM) {
    if (!std::isfinite(heightM)) throwBadInput("recipe", "heights", "finite values");
  }
  field.heightsM.assign(heightsM.begin(), heightsM.end());
  return field;
}

}  // namespace understory
