// Small scenes made by hand and scanned for real, through Embree.
#pragma once

#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/learned/learnedModel.h"
#include "core/plants/plants.h"
#include "core/returns/returnColumns.h"
#include "core/scene/scene.h"
#include "core/voxels/voxelGrid.h"
#include "jobs/scan.h"
#include "test/native/support/sensors.h"

namespace understory {

// A device for tests: the best instruction set unless one is named.
inline std::shared_ptr<const EmbreeDevice> testDevice(std::size_t threads = 2,
                                                      const std::string& isa = bestIsa()) {
  return std::make_shared<const EmbreeDevice>(isa, threads);
}

// A grid of quads in the model's yz plane: y and z from -half to half, met head-on by rays along x.
inline Mesh wallMesh(float halfM, std::uint32_t divisions, std::uint16_t material) {
  Mesh mesh;
  const std::uint32_t side = divisions + 1;
  for (std::uint32_t row = 0; row < side; ++row) {
    for (std::uint32_t column = 0; column < side; ++column) {
      const float step = 2.0F * halfM / static_cast<float>(divisions);
      mesh.vertices.push_back({0.0F, -halfM + step * static_cast<float>(column),
                               -halfM + step * static_cast<float>(row)});
    }
  }
  for (std::uint32_t row = 0; row < divisions; ++row) {
    for (std::uint32_t column = 0; column < divisions; ++column) {
      const std::uint32_t corner = row * side + column;
      mesh.triangles.push_back({corner, corner + 1, corner + side + 1});
      mesh.triangles.push_back({corner, corner + side + 1, corner + side});
    }
  }
  mesh.materialOfTriangle.assign(mesh.triangles.size(), material);
  return mesh;
}

// An axis-aligned box around the origin of its model.
inline Mesh boxMesh(float halfM, std::uint16_t material) {
  Mesh mesh;
  for (unsigned corner = 0; corner < 8; ++corner) {
    mesh.vertices.push_back({(corner & 1U) != 0 ? halfM : -halfM,
                             (corner & 2U) != 0 ? halfM : -halfM,
                             (corner & 4U) != 0 ? halfM : -halfM});
  }
  mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  mesh.materialOfTriangle.assign(mesh.triangles.size(), material);
  return mesh;
}

// Materials beyond diffuse ones.
inline Material mirrorMaterial() { return {"mirror", 0.0, {SurfaceKind::mirror}}; }
inline Material gauzeMaterial(double reflectance, double gapFraction) {
  return {"gauze", reflectance, {}, {}, gapFraction};
}

inline Material glassMaterial(double index = 1.5, double absorptionPerM = 0.0,
                              double thicknessM = 0.0) {
  Material glass{"glass", 0.0, {SurfaceKind::glass}};
  glass.surface.refractiveIndex = index;
  glass.surface.absorptionPerM = absorptionPerM;
  glass.surface.thicknessM = thicknessM;
  return glass;
}
inline Material waterMaterial(double index, double absorptionPerM, double depthM = 100.0) {
  Material water{"water", 0.0, {SurfaceKind::water}};
  water.surface.refractiveIndex = index;
  water.surface.absorptionPerM = absorptionPerM;
  water.surface.depthM = depthM;
  return water;
}

// Builds scenes model by model; ids count from 1 in the order of placing.
class SceneMaker {
 public:
  SceneMaker() { scene_.classes = {"none", "thing"}; }

  std::uint16_t material(float reflectance) {
    scene_.materials.push_back({"material", reflectance, {}});
    return static_cast<std::uint16_t>(scene_.materials.size() - 1);
  }
  std::uint16_t material(const Material& material) {
    scene_.materials.push_back(material);
    return static_cast<std::uint16_t>(scene_.materials.size() - 1);
  }
  void air(const Atmosphere& atmosphere) { scene_.atmosphere = atmosphere; }
  void weather(const Weather& weather) { scene_.weather = weather; }
  void mirrorDepth(std::uint32_t depth) { scene_.mirrorDepth = depth; }
  std::uint16_t model(Mesh mesh) {
    Model model;
    for (const Vec3f vertex : mesh.vertices) extend(model.bounds, vertex);
    model.mesh = std::move(mesh);
    scene_.models.push_back(std::move(model));
    return static_cast<std::uint16_t>(scene_.models.size() - 1);
  }
  // A grown plant, whose materials are those of the scene.
  std::uint16_t plant(GrownPlant grown) {
    const std::uint16_t index = model(std::move(grown.builder.mesh));
    scene_.models[index].isPlant = true;
    scene_.models[index].barkMaterial = grown.barkMaterial;
    return index;
  }
  // Adds a learned model, with the triangles of its surface; all of its parts have material 0.
  std::uint16_t learned(LearnedModel parts) {
    Model model;
    model.mesh.vertices = parts.surface.verticesM;
    model.mesh.triangles = parts.surface.triangles;
    model.mesh.materialOfTriangle.assign(model.mesh.triangles.size(), 0);
    for (const Vec3f vertex : model.mesh.vertices) extend(model.bounds, vertex);
    model.learned = std::make_shared<const LearnedModel>(std::move(parts));
    scene_.models.push_back(std::move(model));
    return static_cast<std::uint16_t>(scene_.models.size() - 1);
  }
  // Adds a voxel model; its leaves have material 0.
  std::uint16_t voxels(VoxelModel voxels) {
    Model model;
    model.bounds = voxels.grid.space.bounds();
    model.voxels = std::make_shared<const VoxelModel>(std::move(voxels));
    scene_.models.push_back(std::move(model));
    return static_cast<std::uint16_t>(scene_.models.size() - 1);
  }
  std::uint32_t place(std::uint16_t model, Vec3d positionM, Quatd rotation = {},
                      double scale = 1.0) {
    const auto id = static_cast<std::uint32_t>(scene_.instances.size() + 1);
    scene_.instances.push_back({id, model, 1, positionM, rotation, scale});
    return id;
  }
  // Takes the instance that was placed last along with the motion of that index.
  void move(std::uint16_t motion = 0) {
    scene_.instances.back().motion = motion;
    scene_.motions = std::max<std::size_t>(scene_.motions, motion + 1U);
  }
  // The wind, and a model that gives way to it.
  void blow(const Wind& wind, std::uint16_t model) {
    scene_.wind = wind;
    scene_.models[model].sways = true;
  }
  std::unique_ptr<const TracedScene> build(
      const std::shared_ptr<const EmbreeDevice>& device = testDevice(), AnySource further = {}) {
    return std::make_unique<const TracedScene>(device, scene_, Watch{}, std::move(further));
  }

 private:
  Scene scene_;
};

// All columns of a scan, put together from its chunks.
struct ScanTable {
  ScanTotals totals;
  std::size_t chunks = 0;
  std::size_t rows = 0;
  std::vector<ReturnColumn> names;
  std::vector<std::vector<std::byte>> bytes;

  template <typename Value>
  Value at(ReturnColumn column, std::size_t row) const {
    for (std::size_t index = 0; index < names.size(); ++index) {
      if (names[index] != column) continue;
      Value value;
      std::memcpy(&value, bytes[index].data() + row * sizeof(Value), sizeof(Value));
      return value;
    }
    throw std::logic_error("column was not asked for");
  }
  double real(ReturnColumn column, std::size_t row) const {
    return static_cast<double>(at<float>(column, row));
  }
};

inline std::vector<ReturnColumn> allColumns() {
  std::vector<ReturnColumn> columns;
  for (std::size_t column = 0; column < returnColumns.size(); ++column) {
    columns.push_back(static_cast<ReturnColumn>(column));
  }
  return columns;
}

inline ScanTable scanAll(const TracedScene& scene, const ScanJob& job) {
  ScanTable table;
  table.names = job.columns;
  table.bytes.resize(job.columns.size());
  ScanSink sink;
  sink.takeChunk = [&](const RowChunk& chunk) {
    ++table.chunks;
    table.rows += chunk.rows;
    for (std::size_t column = 0; column < table.bytes.size(); ++column) {
      const std::vector<std::byte>& more = chunk.columns[column];
      table.bytes[column].insert(table.bytes[column].end(), more.begin(), more.end());
    }
  };
  table.totals = scan(scene, job, sink);
  return table;
}

// Everything that a stationary sensor sees in some seconds.
inline ScanJob standingJob(const SensorRecipe& sensor, const Pose& pose, double seconds) {
  ScanJob job;
  job.sensor = sensor;
  job.trajectory = {{0}, {pose}};
  job.interval.toNs = static_cast<std::int64_t>(seconds * 1e9);
  job.columns = allColumns();
  return job;
}

// The pose that looks along a direction.
inline Pose lookingAlong(Vec3d fromM, Vec3d direction) {
  const Vec3d unit = normalized(direction);
  const Quatd yaw = rotationAbout({0.0, 0.0, 1.0}, std::atan2(unit.y, unit.x));
  const Quatd pitch = rotationAbout({0.0, 1.0, 0.0}, -std::asin(unit.z));
  return {fromM, yaw * pitch};
}

}  // namespace understory
