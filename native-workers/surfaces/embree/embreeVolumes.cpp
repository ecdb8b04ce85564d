// Trees of elements, and lines through them.
#include "surfaces/embree/embreeVolumes.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/learned/learnedModel.h"
#include "core/mutation.h"
#include "surfaces/embree/buildMeter.h"
#include "surfaces/embree/embree.h"
#include "surfaces/embree/embreeErrors.h"
#include "surfaces/embree/setRay.h"

namespace understory {
namespace {

using Shapes = EmbreeVolumes::ModelShapes;

// The state of a query beside Embree's ray.
struct LineState {
  RayContext base{};
  const LearnedDraws* draws = nullptr;
  std::uint64_t pulse = 0;
  // Of the nearest point to the line so far, in units of the world.
  float distanceSquaredM2 = std::numeric_limits<float>::infinity();
};

LineState& stateOf(const RTCIntersectFunctionNArguments& arguments) {
  return *reinterpret_cast<LineState*>(arguments.context);
}

std::uint32_t instanceOf(const LineState& state) { return state.base.instID[0]; }

// Whether a hit at `orderM` comes before the ray's own.
bool isBefore(const RTCRayHit& query, float orderM, std::uint32_t instance,
              std::uint32_t primitive) {
  if (orderM != query.ray.tfar) return orderM < query.ray.tfar;
  if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return true;
  if (instance != query.hit.instID[0]) return instance < query.hit.instID[0];
  return primitive < query.hit.primID;
}

void storeHit(RTCRayHit& query, float orderM, std::uint32_t instance, std::uint32_t primitive,
              float meanM, float sigmaM) {
  query.ray.tfar = orderM;
  query.hit.instID[0] = instance;
  query.hit.geomID = 0;
  query.hit.primID = primitive;
  query.hit.u = meanM;
  query.hit.v = sigmaM;
}

// Mutation::elementsByCentre: where the centre lies along the line.
float centreOnLine(const ElementShape& shape, Vec3f originM, Vec3f direction) {
  return dot(shape.meanM - originM, direction) / dot(direction, direction);
}

// Why only single lines: neighbouring pulses draw apart, and a packet continues until the last of its lines has ended.
void meetElement(const RTCIntersectFunctionNArguments* arguments) {
  if (arguments->valid[0] == 0) return;
  const Shapes& shapes = *static_cast<const Shapes*>(arguments->geometryUserPtr);
  LineState& state = stateOf(*arguments);
  RTCRayHit& query = *reinterpret_cast<RTCRayHit*>(arguments->rayhit);
  const ElementShape& shape = shapes.elements[arguments->primID];
  const Vec3f originM{query.ray.org_x, query.ray.org_y, query.ray.org_z};
  const Vec3f direction{query.ray.dir_x, query.ray.dir_y, query.ray.dir_z};
  const LineGaussian met = onLine(shape, originM, direction);
  if (!(met.distanceSquared < shapes.limitSquared) || !(met.meanM > 0.0F)) return;
  const bool isByCentre = activeMutation() == Mutation::elementsByCentre;
  const float orderM = isByCentre ? centreOnLine(shape, originM, direction) : met.meanM;
  const std::uint32_t instance = instanceOf(state);
  const std::uint32_t primitive = shapes.firstElement + arguments->primID;
  if (!isBefore(query, orderM, instance, primitive)) return;
  if (state.draws->passes(instance, primitive, state.pulse, shape.permeability)) return;
  storeHit(query, orderM, instance, primitive, met.meanM, met.sigmaM);
}

// The point of least distance to the line, wherever on it (Browning 2012, equation 11): so the ray's end stays.
void meetPoint(const RTCIntersectFunctionNArguments* arguments) {
  if (arguments->valid[0] == 0) return;
  const Shapes& shapes = *static_cast<const Shapes*>(arguments->geometryUserPtr);
  LineState& state = stateOf(*arguments);
  RTCRayHit& query = *reinterpret_cast<RTCRayHit*>(arguments->rayhit);
  const Vec3f originM{query.ray.org_x, query.ray.org_y, query.ray.org_z};
  const Vec3f direction{query.ray.dir_x, query.ray.dir_y, query.ray.dir_z};
  const Vec3f to = shapes.model->points.positionsM[arguments->primID] - originM;
  const float perM2 = dot(direction, direction);
  const float footM = dot(to, direction) / perM2;
  if (!(footM > 0.0F) || !(footM <= query.ray.tfar)) return;
  const Vec3f off = to - direction * footM;
  // Directions have length 1 in the world, in the model one over its scale.
  if (!(dot(off, off) < shapes.pointRadiusSquaredM2)) return;
  const float distanceSquaredM2 = dot(off, off) / perM2;
  const std::uint32_t instance = instanceOf(state);
  const std::uint32_t primitive = shapes.firstPoint + arguments->primID;
  if (distanceSquaredM2 > state.distanceSquaredM2) return;
  if (distanceSquaredM2 == state.distanceSquaredM2 && query.hit.geomID == 0) {
    const bool isFirst = instance != query.hit.instID[0] ? instance < query.hit.instID[0]
                                                         : primitive < query.hit.primID;
    if (!isFirst) return;
  }
  state.distanceSquaredM2 = distanceSquaredM2;
  storeHit(query, query.ray.tfar, instance, primitive, footM, 0.0F);
}

void setBounds(RTCBounds& bounds, Vec3f lower, Vec3f upper) {
  bounds.lower_x = lower.x;
  bounds.lower_y = lower.y;
  bounds.lower_z = lower.z;
  bounds.upper_x = upper.x;
  bounds.upper_y = upper.y;
  bounds.upper_z = upper.z;
}

void boundElement(const RTCBoundsFunctionArguments* arguments) {
  const LearnedModel& model = *static_cast<const Shapes*>(arguments->geometryUserPtr)->model;
  const Boundsf box =
      elementBounds(model.elements.meansM[arguments->primID],
                    model.elements.covariancesM2[arguments->primID], model.mahalanobisLimit);
  setBounds(*arguments->bounds_o, box.min, box.max);
}

void boundPoint(const RTCBoundsFunctionArguments* arguments) {
  const LearnedModel& model = *static_cast<const Shapes*>(arguments->geometryUserPtr)->model;
  const auto reachM = static_cast<float>(1.000001 * model.pointRadiusM);
  const Vec3f half{reachM, reachM, reachM};
  const Vec3f positionM = model.points.positionsM[arguments->primID];
  setBounds(*arguments->bounds_o, positionM - half, positionM + half);
}

std::unique_ptr<Shapes> shapesOf(const LearnedModel& model, const Watch& watch) {
  auto shapes = std::make_unique<Shapes>();
  shapes->model = &model;
  const auto limit = static_cast<float>(model.mahalanobisLimit);
  const auto radiusM = static_cast<float>(model.pointRadiusM);
  shapes->limitSquared = limit * limit;
  shapes->pointRadiusSquaredM2 = radiusM * radiusM;
  shapes->firstElement = static_cast<std::uint32_t>(model.surface.size());
  shapes->firstPoint = static_cast<std::uint32_t>(model.surface.size() + model.elements.size());
  shapes->elements.reserve(model.elements.size());
  for (std::size_t index = 0; index < model.elements.size(); ++index) {
    if (index % 65536 == 0) watch.throwIfCancelled();
    shapes->elements.push_back(elementShape(model.elements.meansM[index],
                                            model.elements.covariancesM2[index],
                                            model.elements.seen.permeability[index]));
  }
  return shapes;
}

RTCSceneTy* newTree(RTCDeviceTy* device) {
  RTCScene scene = rtcNewScene(device);
  rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
  return scene;
}

void queryLine(const PulseLines& lines, std::size_t line, float limitM, const LearnedDraws& draws,
               RTCSceneTy* top, RTCRayHit& query) {
  const PathRay ray{{lines.originX[line], lines.originY[line], lines.originZ[line]},
                    {lines.directionX[line], lines.directionY[line], lines.directionZ[line]}};
  setRay(query, 0, ray, 0.0F, limitM);
  LineState state;
  state.draws = &draws;
  state.pulse = lines.pulse[line];
  intersectWith(state.base, top, query);
}

}  // namespace

bool hasLearnedElements(const Scene& scene) {
  return std::ranges::any_of(scene.instances, [&](const Instance& instance) {
    const LearnedModel* model = scene.models[instance.model].learned.get();
    return model != nullptr && model->elements.size() + model->points.size() > 0;
  });
}

EmbreeVolumes::EmbreeVolumes(std::shared_ptr<const EmbreeDevice> device, const Scene& scene,
                             const Watch& watch)
    : device_(std::move(device)), scene_(scene) {
  for (const Model& model : scene.models) {
    shapes_.push_back(model.learned ? shapesOf(*model.learned, watch) : nullptr);
  }
  try {
    build(ellipsoids_, false, watch);
    build(points_, true, watch);
  } catch (...) {
    release();
    throw;
  }
}

EmbreeVolumes::~EmbreeVolumes() { release(); }

void EmbreeVolumes::build(Trees& trees, bool isPoints, const Watch& watch) {
  const auto sizeOf = [&](const Model& model) {
    if (!model.learned) return std::size_t{0};
    return isPoints ? model.learned->points.size() : model.learned->elements.size();
  };
  std::uint64_t total = 0;
  for (const Model& model : scene_.models) total += sizeOf(model);
  if (total == 0) return;
  BuildMeter meter(watch, "elements", total);
  for (std::size_t index = 0; index < scene_.models.size(); ++index) {
    watch.throwIfCancelled();
    trees.models.push_back(nullptr);
    const std::size_t size = sizeOf(scene_.models[index]);
    if (size == 0) continue;
    trees.models.back() = newTree(device_->handle());
    RTCGeometry geometry = rtcNewGeometry(device_->handle(), RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(size));
    rtcSetGeometryUserData(geometry, shapes_[index].get());
    const auto bound = isPoints ? boundPoint : boundElement;
    rtcSetGeometryBoundsFunction(geometry, bound, nullptr);
    rtcSetGeometryIntersectFunction(geometry, isPoints ? meetPoint : meetElement);
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(trees.models.back(), geometry, 0);
    rtcReleaseGeometry(geometry);
    meter.commit(trees.models.back(), size);
    failOnEmbreeError(device_->handle(), "building learned elements");
  }
  trees.top = newTree(device_->handle());
  for (std::size_t index = 0; index < scene_.instances.size(); ++index) {
    const Instance& instance = scene_.instances[index];
    if (trees.models[instance.model] == nullptr) continue;
    RTCGeometry geometry = rtcNewGeometry(device_->handle(), RTC_GEOMETRY_TYPE_INSTANCE);
    rtcSetGeometryInstancedScene(geometry, trees.models[instance.model]);
    const std::array<float, 12> matrix =
        columnMajor3x4({instance.positionM, instance.rotation, instance.scale});
    rtcSetGeometryTransform(geometry, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, matrix.data());
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(trees.top, geometry, static_cast<unsigned>(index));
    rtcReleaseGeometry(geometry);
  }
  rtcCommitScene(trees.top);
  failOnEmbreeError(device_->handle(), "placing learned elements");
}

void EmbreeVolumes::first(const PulseLines& lines, float limitM, const LearnedDraws& draws,
                          LineHits& hits) const {
  hits.clear();
  for (RTCSceneTy* top : {ellipsoids_.top, points_.top}) {
    if (top == nullptr) continue;
    for (std::size_t line = 0; line < lines.count; ++line) {
      RTCRayHit query{};
      queryLine(lines, line, limitM, draws, top, query);
      if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID || query.hit.u >= hits.meanM[line]) continue;
      hits.meanM[line] = query.hit.u;
      hits.instance[line] = query.hit.instID[0];
      hits.primitive[line] = query.hit.primID;
      hits.rangeM[line] = query.hit.v > 0.0F
                              ? draws.rangeM(query.hit.instID[0], query.hit.primID,
                                             lines.pulse[line], query.hit.u, query.hit.v)
                              : query.hit.u;
    }
  }
}

void EmbreeVolumes::release() {
  for (Trees* trees : {&ellipsoids_, &points_}) {
    if (trees->top != nullptr) rtcReleaseScene(trees->top);
    for (RTCSceneTy* model : trees->models) {
      if (model != nullptr) rtcReleaseScene(model);
    }
    trees->models.clear();
    trees->top = nullptr;
  }
}

}  // namespace understory
