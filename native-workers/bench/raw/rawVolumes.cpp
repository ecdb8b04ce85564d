// The draws are made in the callbacks, so that a traversal ends at the first element that is not passed.
#include "bench/raw/rawVolumes.h"

#include "core/learned/learnedModel.h"
#include "surfaces/embree/embree.h"
#include "surfaces/embree/embreeErrors.h"

namespace understory {
namespace {

// The state of a query beside Embree's ray.
struct LineState {
  RayContext base{};
  const LearnedDraws* draws = nullptr;
  std::uint64_t pulse = 0;
};

// Why only single lines: neighbouring pulses draw apart, and a packet continues until the last of its lines has ended.
void meetElement(const RTCIntersectFunctionNArguments* arguments) {
  if (arguments->valid[0] == 0) return;
  const auto& elements = *static_cast<const RawVolumes::Elements*>(arguments->geometryUserPtr);
  const LineState& state = *reinterpret_cast<const LineState*>(arguments->context);
  RTCRayHit& query = *reinterpret_cast<RTCRayHit*>(arguments->rayhit);
  const ElementShape& shape = elements.shapes[arguments->primID];
  const LineGaussian met = onLine(shape, {query.ray.org_x, query.ray.org_y, query.ray.org_z},
                                  {query.ray.dir_x, query.ray.dir_y, query.ray.dir_z});
  if (!(met.distanceSquared < shape.limitSquared) || !(met.meanM > 0.0F)) return;
  if (!(met.meanM < query.ray.tfar)) return;
  const std::uint32_t instance = state.base.instID[0];
  const std::uint32_t primitive = elements.first + arguments->primID;
  if (state.draws->passes(instance, primitive, state.pulse, shape.permeability)) return;
  query.ray.tfar = met.meanM;
  query.hit.instID[0] = instance;
  query.hit.geomID = 0;
  query.hit.primID = primitive;
}

void boundElement(const RTCBoundsFunctionArguments* arguments) {
  const LearnedModel& model =
      *static_cast<const RawVolumes::Elements*>(arguments->geometryUserPtr)->model;
  const Boundsf box = elementBounds(model.elements.meansM[arguments->primID],
                                    model.elements.covariancesM2[arguments->primID],
                                    elementLimit(model, arguments->primID));
  *arguments->bounds_o = {box.min.x, box.min.y, box.min.z, 0.0F,
                          box.max.x, box.max.y, box.max.z, 0.0F};
}

std::unique_ptr<RawVolumes::Elements> elementsOf(const LearnedModel& model) {
  auto elements = std::make_unique<RawVolumes::Elements>();
  elements->model = &model;
  elements->first = static_cast<std::uint32_t>(model.surface.size());
  for (std::size_t index = 0; index < model.elements.size(); ++index) {
    elements->shapes.push_back(
        elementShape(model.elements.meansM[index], model.elements.covariancesM2[index],
                     model.elements.seen.permeability[index], elementLimit(model, index)));
  }
  return elements;
}

RTCSceneTy* newTree(const EmbreeDevice& device) {
  RTCScene scene = rtcNewScene(device.handle());
  rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
  return scene;
}

RTCSceneTy* treeOf(const EmbreeDevice& device, RawVolumes::Elements& elements) {
  RTCSceneTy* tree = newTree(device);
  RTCGeometry geometry = rtcNewGeometry(device.handle(), RTC_GEOMETRY_TYPE_USER);
  rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(elements.shapes.size()));
  rtcSetGeometryUserData(geometry, &elements);
  rtcSetGeometryBoundsFunction(geometry, boundElement, nullptr);
  rtcSetGeometryIntersectFunction(geometry, meetElement);
  rtcCommitGeometry(geometry);
  rtcAttachGeometryByID(tree, geometry, 0);
  rtcReleaseGeometry(geometry);
  rtcCommitScene(tree);
  return tree;
}

}  // namespace

RawVolumes::RawVolumes(const EmbreeDevice& device, const Scene& scene) : top_(newTree(device)) {
  for (const Model& model : scene.models) {
    const bool hasElements = model.learned != nullptr && model.learned->elements.size() > 0;
    elements_.push_back(hasElements ? elementsOf(*model.learned) : nullptr);
    models_.push_back(hasElements ? treeOf(device, *elements_.back()) : nullptr);
  }
  for (std::size_t index = 0; index < scene.instances.size(); ++index) {
    const Instance& instance = scene.instances[index];
    if (models_[instance.model] == nullptr) continue;
    RTCGeometry geometry = rtcNewGeometry(device.handle(), RTC_GEOMETRY_TYPE_INSTANCE);
    rtcSetGeometryInstancedScene(geometry, models_[instance.model]);
    const std::array<float, 12> matrix =
        columnMajor3x4({instance.positionM, instance.rotation, instance.scale});
    rtcSetGeometryTransform(geometry, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, matrix.data());
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(top_, geometry, static_cast<unsigned>(index));
    rtcReleaseGeometry(geometry);
  }
  rtcCommitScene(top_);
  failOnEmbreeError(device.handle(), "building elements for raw tracing");
}

RawVolumes::~RawVolumes() {
  rtcReleaseScene(top_);
  for (RTCSceneTy* model : models_) {
    if (model != nullptr) rtcReleaseScene(model);
  }
}

void RawVolumes::first(RTCRayHit& query, const LearnedDraws& draws, std::uint64_t pulse) const {
  LineState state;
  state.draws = &draws;
  state.pulse = pulse;
  intersectWith(state.base, top_, query);
}

}  // namespace understory
