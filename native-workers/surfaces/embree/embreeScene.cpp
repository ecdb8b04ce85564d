// Uploading a scene: triangles to Embree's buffers, one BVH for each model, instances over them.
#include "surfaces/embree/embreeScene.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "core/error.h"
#include "core/learned/learnedDraws.h"
#include "core/learned/learnedModel.h"
#include "core/scene/sway.h"
#include "surfaces/embree/buildMeter.h"
#include "surfaces/embree/embree.h"
#include "surfaces/embree/embreeErrors.h"

namespace understory {
namespace {

// Whether rays may continue behind a triangle of the mesh.
bool letsLightThrough(const Mesh& mesh, const std::vector<Material>& materials) {
  return std::any_of(
      mesh.materialOfTriangle.begin(), mesh.materialOfTriangle.end(), [&](std::uint16_t index) {
        const Material& material = materials[index];
        return material.gapFraction > 0.0 || material.surface.kind == SurfaceKind::glass ||
               material.surface.kind == SurfaceKind::water;
      });
}

bool isAmong(std::span<const FacetId> facets, std::uint32_t instance, std::uint32_t primitive) {
  return std::any_of(facets.begin(), facets.end(), [&](const FacetId& facet) {
    return facet.instance == instance && facet.primitive == primitive;
  });
}

// Rejects hits of a packet or a ray: facets that a single ray has passed, and texels that are cut away. Embree then
// continues. Only on meshes that let light through or have holes: others keep Embree's fastest kernels.
void rejectHits(const RTCFilterFunctionNArguments* arguments) {
  const MeshTextures& textures = *static_cast<const MeshTextures*>(arguments->geometryUserPtr);
  const std::span<const FacetId>* const passed = RayQuery::passedOf(*arguments);
  const unsigned count = arguments->N;
  for (unsigned lane = 0; lane < count; ++lane) {
    if (arguments->valid[lane] == 0) continue;
    const unsigned triangle = RTCHitN_primID(arguments->hit, count, lane);
    const bool isHole = textures.isHole(triangle, RTCHitN_u(arguments->hit, count, lane),
                                        RTCHitN_v(arguments->hit, count, lane));
    if (isHole || (passed != nullptr &&
                   isAmong(*passed, RTCHitN_instID(arguments->hit, count, lane, 0), triangle))) {
      arguments->valid[lane] = 0;
    }
  }
}

// Rejects triangles of a learned surface that the pulse of a ray passes, by a draw that all rays of the pulse share.
void rejectPassed(const RTCFilterFunctionNArguments* arguments) {
  const auto& [draws, pulses, minSupport] = RayQuery::pulsesOf(*arguments);
  if (draws == nullptr) return;
  const LearnedSurface& surface =
      static_cast<const LearnedModel*>(arguments->geometryUserPtr)->surface;
  const unsigned count = arguments->N;
  for (unsigned lane = 0; lane < count; ++lane) {
    if (arguments->valid[lane] == 0) continue;
    const unsigned triangle = RTCHitN_primID(arguments->hit, count, lane);
    if (minSupport != nullptr) {
      *minSupport = std::min(*minSupport, surface.seen.support[triangle]);
      arguments->valid[lane] = 0;
      continue;
    }
    // Why by id: Embree hands over the lanes that are left, in places of their own.
    const unsigned ray = RTCRayN_id(arguments->ray, count, lane);
    if (draws->passes(RTCHitN_instID(arguments->hit, count, lane, 0), triangle, pulses[ray],
                      surface.seen.permeability[triangle])) {
      arguments->valid[lane] = 0;
    }
  }
}

// Filter of hits on a model's triangles: a function that Embree calls. nullptr: every hit ends a ray.
struct MeshFilter {
  RTCFilterFunctionN reject = nullptr;
  void* data = nullptr;
};

MeshFilter filterOf(const Model& model, const std::vector<Material>& materials) {
  // Embree only reads what it hands to the functions.
  if (model.learned) {
    const std::vector<float>& permeability = model.learned->surface.seen.permeability;
    const bool isOpaque =
        std::ranges::all_of(permeability, [](float share) { return share <= 0.0F; });
    if (isOpaque) return {};
    return {rejectPassed, const_cast<LearnedModel*>(model.learned.get())};
  }
  if (!model.mesh.textures.hasHoles() && !letsLightThrough(model.mesh, materials)) return {};
  return {rejectHits, const_cast<MeshTextures*>(&model.mesh.textures)};
}

// Embree's own buffers are padded as its 16-byte loads need.
void uploadMesh(RTCDeviceTy* device, RTCSceneTy* scene, const Mesh& mesh, MeshFilter filter) {
  if (mesh.triangles.empty()) return;
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  void* vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3,
                                           sizeof(Vec3f), mesh.vertices.size());
  void* triangles = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                            sizeof(mesh.triangles[0]), mesh.triangles.size());
  failOnEmbreeError(device, "taking a model's triangles");
  std::memcpy(vertices, mesh.vertices.data(), mesh.vertices.size() * sizeof(Vec3f));
  std::memcpy(triangles, mesh.triangles.data(), mesh.triangles.size() * sizeof(mesh.triangles[0]));
  if (filter.reject != nullptr) {
    rtcSetGeometryUserData(geometry, filter.data);
    rtcSetGeometryIntersectFilterFunction(geometry, filter.reject);
    rtcSetGeometryOccludedFilterFunction(geometry, filter.reject);
  }
  rtcCommitGeometry(geometry);
  rtcAttachGeometryByID(scene, geometry, 0);
  rtcReleaseGeometry(geometry);
}

void checkIndices(const Scene& scene) {
  for (const Model& model : scene.models) {
    const Mesh& mesh = model.mesh;
    const bool isWhole =
        mesh.materialOfTriangle.size() == mesh.triangles.size() &&
        std::all_of(mesh.materialOfTriangle.begin(), mesh.materialOfTriangle.end(),
                    [&](std::uint16_t material) { return material < scene.materials.size(); }) &&
        std::all_of(mesh.triangles.begin(), mesh.triangles.end(), [&](const auto& triangle) {
          return std::all_of(triangle.begin(), triangle.end(),
                             [&](std::uint32_t corner) { return corner < mesh.vertices.size(); });
        });
    if (!isWhole) {
      throw UnderstoryError(
          ErrorCode::badInput,
          "model '" + model.name + "' names vertices or materials that do not exist");
    }
  }
  for (const Instance& instance : scene.instances) {
    if (instance.model >= scene.models.size()) {
      throw UnderstoryError(ErrorCode::badInput, "an instance names a model that does not exist",
                            {{"id", instance.id}});
    }
    if (instance.isMoving() && instance.motion >= scene.motions) {
      throw UnderstoryError(ErrorCode::badInput, "an instance names a motion that does not exist",
                            {{"id", instance.id}});
    }
  }
}

}  // namespace

EmbreeScene::EmbreeScene(std::shared_ptr<const EmbreeDevice> device, Scene& scene,
                         const Watch& watch)
    : device_(std::move(device)), scene_(scene), top_(device_->handle()) {
  checkIndices(scene_);
  try {
    buildModels(scene.models, watch);
    placeInstances(watch);
  } catch (...) {
    release();
    throw;
  }
}

EmbreeScene::~EmbreeScene() { release(); }

void EmbreeScene::buildModels(std::vector<Model>& models, const Watch& watch) {
  std::uint64_t triangles = 0;
  for (const Model& model : models) triangles += model.mesh.triangles.size();
  BuildMeter meter(watch, "building", triangles);
  for (Model& model : models) {
    watch.throwIfCancelled();
    const std::size_t modelTriangles = model.mesh.triangles.size();
    models_.push_back(newEmbreeScene(device_->handle()));
    const MeshFilter filter = filterOf(model, scene_.materials);
    filteredModels_ += filter.reject != nullptr ? 1 : 0;
    uploadMesh(device_->handle(), models_.back(), model.mesh, filter);
    verticesOfModel_.push_back(model.mesh.vertices.size());
    // Images need the triangles, to find the texel of a hit.
    if (model.mesh.textures.isEmpty()) {
      model.mesh.vertices = {};
      model.mesh.triangles = {};
    }
    meter.commit(models_.back(), modelTriangles);
    failOnEmbreeError(device_->handle(), "building a model");
  }
}

void EmbreeScene::placeInstances(const Watch& watch) {
  for (std::size_t index = 0; index < scene_.instances.size(); ++index) {
    if (index % 16384 == 0) {
      watch.throwIfCancelled();
      if (watch.onProgress) watch.onProgress("instances", index, scene_.instances.size());
    }
    const Instance& instance = scene_.instances[index];
    if (instance.isMoving() || sways(scene_, instance)) continue;
    hasTriangles_ |= hasTriangles(instance.model);
    top_.place(static_cast<std::uint32_t>(index), models_[instance.model],
               Placement{instance.positionM, instance.rotation, instance.scale});
  }
  watch.throwIfCancelled();
  top_.commit(watch);
}

MeshView EmbreeScene::meshOf(std::size_t model) const {
  const Mesh& mesh = scene_.models.at(model).mesh;
  if (mesh.materialOfTriangle.empty()) return {};
  RTCGeometry geometry = rtcGetGeometry(models_[model], 0);
  const auto* vertices =
      static_cast<const Vec3f*>(rtcGetGeometryBufferData(geometry, RTC_BUFFER_TYPE_VERTEX, 0));
  const auto* triangles = static_cast<const std::array<std::uint32_t, 3>*>(
      rtcGetGeometryBufferData(geometry, RTC_BUFFER_TYPE_INDEX, 0));
  return {{vertices, verticesOfModel_[model]},
          {triangles, mesh.materialOfTriangle.size()},
          mesh.materialOfTriangle};
}

void EmbreeScene::release() {
  for (RTCSceneTy* model : models_) rtcReleaseScene(model);
  models_.clear();
}

}  // namespace understory
