// Trees of elements, and lines through them.
#include "surfaces/embree/embreeVolumes.h"

#include <algorithm>
#include <limits>
#include <span>

#include "core/learned/learnedModel.h"
#include "surfaces/embree/buildMeter.h"
#include "surfaces/embree/ellipsoidLines.h"
#include "surfaces/embree/embree.h"
#include "surfaces/embree/embreeErrors.h"
#include "surfaces/embree/setRay.h"
#include "surfaces/embree/userGeometry.h"

namespace understory {
namespace {

// Up to this number of placed trees are met one after another.
constexpr std::size_t maxUnsorted = 4;

// The state of a query beside Embree's ray.
struct PointState {
  RayContext base{};
  // Squared distance of the nearest point to the line so far, in units of the world.
  float distanceSquaredM2 = std::numeric_limits<float>::infinity();
  std::uint32_t instance = noInstance;  // whose model is traced by itself
};

struct LineInWorld {
  Vec3f originM;
  Vec3f direction;
};

struct PlacedState {
  RayContext base{};
  EllipsoidLine* line = nullptr;
};

// The point of least distance to the line, wherever on it (Browning 2012, equation 11): so the ray's end stays.
void meetPoint(const RTCIntersectFunctionNArguments* arguments) {
  if (arguments->valid[0] == 0) return;
  const auto& points = *static_cast<const EmbreeVolumes::ModelPoints*>(arguments->geometryUserPtr);
  PointState& state = *reinterpret_cast<PointState*>(arguments->context);
  RTCRayHit& query = *reinterpret_cast<RTCRayHit*>(arguments->rayhit);
  const Vec3f originM{query.ray.org_x, query.ray.org_y, query.ray.org_z};
  const Vec3f direction{query.ray.dir_x, query.ray.dir_y, query.ray.dir_z};
  const Vec3f to = points.model->points.positionsM[arguments->primID] - originM;
  const float perM2 = dot(direction, direction);
  const float footM = dot(to, direction) / perM2;
  if (!(footM > 0.0F) || !(footM <= query.ray.tfar)) return;
  const Vec3f off = to - direction * footM;
  // Directions have length 1 in the world, in the model one over its scale.
  if (!(dot(off, off) < points.radiusSquaredM2)) return;
  const float distanceSquaredM2 = dot(off, off) / perM2;
  const std::uint32_t instance =
      state.instance != noInstance ? state.instance : state.base.instID[0];
  const std::uint32_t primitive = points.first + arguments->primID;
  if (distanceSquaredM2 > state.distanceSquaredM2) return;
  if (distanceSquaredM2 == state.distanceSquaredM2 && query.hit.geomID == 0) {
    const bool isFirst = instance != query.hit.instID[0] ? instance < query.hit.instID[0]
                                                         : primitive < query.hit.primID;
    if (!isFirst) return;
  }
  state.distanceSquaredM2 = distanceSquaredM2;
  query.hit.instID[0] = instance;
  query.hit.geomID = 0;
  query.hit.primID = primitive;
  query.hit.u = footM;
}

void meetPlaced(const RTCIntersectFunctionNArguments* arguments) {
  if (arguments->valid[0] == 0) return;
  const auto* placed = static_cast<const EmbreeVolumes::PlacedTree*>(arguments->geometryUserPtr);
  EllipsoidLine& line = *reinterpret_cast<PlacedState*>(arguments->context)->line;
  placed[arguments->primID].meet(line);
  reinterpret_cast<RTCRayHit*>(arguments->rayhit)->ray.tfar = line.untilM;
}

void boundPlaced(const RTCBoundsFunctionArguments* arguments) {
  const auto* placed = static_cast<const EmbreeVolumes::PlacedTree*>(arguments->geometryUserPtr);
  setBounds(*arguments->bounds_o, placed[arguments->primID].bounds);
}

void boundPoint(const RTCBoundsFunctionArguments* arguments) {
  const LearnedModel& model =
      *static_cast<const EmbreeVolumes::ModelPoints*>(arguments->geometryUserPtr)->model;
  const auto reachM = static_cast<float>(1.000001 * model.pointRadiusM);
  const Vec3f half{reachM, reachM, reachM};
  const Vec3f positionM = model.points.positionsM[arguments->primID];
  setBounds(*arguments->bounds_o, {positionM - half, positionM + half});
}

RTCSceneTy* newTree(RTCDeviceTy* device) {
  RTCScene scene = rtcNewScene(device);
  rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
  return scene;
}

}  // namespace

bool hasLearnedElements(const Scene& scene, const Instance& instance) {
  const LearnedModel* model = scene.models[instance.model].learned.get();
  return model != nullptr && model->elements.size() + model->points.size() > 0;
}

bool hasLearnedElements(const Scene& scene) {
  return std::ranges::any_of(scene.instances, [&](const Instance& instance) {
    return hasLearnedElements(scene, instance);
  });
}

EmbreeVolumes::EmbreeVolumes(std::shared_ptr<const EmbreeDevice> device, const Scene& scene,
                             const Watch& watch)
    : device_(std::move(device)), scene_(scene) {
  try {
    buildEllipsoids(watch);
    placeEllipsoids();
    buildPoints(watch);
  } catch (...) {
    release();
    throw;
  }
}

EmbreeVolumes::~EmbreeVolumes() { release(); }

void EmbreeVolumes::buildEllipsoids(const Watch& watch) {
  const auto sizeOf = [](const Model& model) {
    return model.learned ? model.learned->elements.size() : 0;
  };
  std::uint64_t total = 0;
  for (const Model& model : scene_.models) total += sizeOf(model);
  if (total == 0) return;
  BuildMeter meter(watch, "elements", total);
  for (const Model& model : scene_.models) {
    watch.throwIfCancelled();
    ellipsoids_.push_back(nullptr);
    if (sizeOf(model) == 0) continue;
    ellipsoids_.back() =
        std::make_unique<const EllipsoidTree>(device_->handle(), *model.learned, meter);
    failOnEmbreeError(device_->handle(), "building learned elements");
  }
  watch.throwIfCancelled();
}

void EmbreeVolumes::placeEllipsoids() {
  if (ellipsoids_.empty()) return;
  for (std::size_t index = 0; index < scene_.instances.size(); ++index) {
    const Instance& instance = scene_.instances[index];
    const EllipsoidTree* tree = ellipsoids_[instance.model].get();
    if (tree == nullptr || instance.isMoving()) continue;
    const Placement placement{instance.positionM, instance.rotation, instance.scale};
    placed_.push_back({tree, static_cast<std::uint32_t>(index), firstElementOf(instance.model),
                       worldBounds(placement, tree->bounds()), ModelFrame(placement)});
  }
  if (placed_.size() <= maxUnsorted) return;
  placedTop_ = newTree(device_->handle());
  attachUserGeometry(device_->handle(), placedTop_, placed_.size(), placed_.data(),
                     {boundPlaced, meetPlaced});
  rtcCommitScene(placedTop_);
  failOnEmbreeError(device_->handle(), "placing learned elements");
}

void EmbreeVolumes::buildPoints(const Watch& watch) {
  const auto sizeOf = [](const Model& model) {
    return model.learned ? model.learned->points.size() : 0;
  };
  std::uint64_t total = 0;
  for (const Model& model : scene_.models) total += sizeOf(model);
  if (total == 0) return;
  BuildMeter meter(watch, "elements", total);
  for (const Model& model : scene_.models) {
    watch.throwIfCancelled();
    pointTrees_.push_back(nullptr);
    points_.push_back(nullptr);
    const std::size_t size = sizeOf(model);
    if (size == 0) continue;
    const LearnedModel& learned = *model.learned;
    const auto radiusM = static_cast<float>(learned.pointRadiusM);
    points_.back() = std::make_unique<ModelPoints>(
        ModelPoints{&learned, radiusM * radiusM,
                    static_cast<std::uint32_t>(learned.surface.size() + learned.elements.size())});
    pointTrees_.back() = newTree(device_->handle());
    attachUserGeometry(device_->handle(), pointTrees_.back(), size, points_.back().get(),
                       {boundPoint, meetPoint});
    meter.commit(pointTrees_.back(), size);
    failOnEmbreeError(device_->handle(), "building learned points");
  }
  for (std::size_t index = 0; index < scene_.instances.size(); ++index) {
    const Instance& instance = scene_.instances[index];
    if (pointTrees_[instance.model] == nullptr || instance.isMoving()) continue;
    if (pointsTop_ == nullptr) pointsTop_ = newTree(device_->handle());
    RTCGeometry geometry = rtcNewGeometry(device_->handle(), RTC_GEOMETRY_TYPE_INSTANCE);
    rtcSetGeometryInstancedScene(geometry, pointTrees_[instance.model]);
    const std::array<float, 12> matrix =
        columnMajor3x4({instance.positionM, instance.rotation, instance.scale});
    rtcSetGeometryTransform(geometry, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, matrix.data());
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(pointsTop_, geometry, static_cast<unsigned>(index));
    rtcReleaseGeometry(geometry);
  }
  if (pointsTop_ == nullptr) return;
  rtcCommitScene(pointsTop_);
  failOnEmbreeError(device_->handle(), "placing learned points");
}

void EmbreeVolumes::PlacedTree::enter(EllipsoidLine& line) const {
  line.originM = frame.point(line.originM);
  line.direction = frame.direction(line.direction);
  line.instance = instance;
  line.firstElement = firstElement;
}

void EmbreeVolumes::PlacedTree::meet(EllipsoidLine& line) const {
  const LineInWorld inWorld{line.originM, line.direction};
  enter(line);
  tree->meet(line);
  line.originM = inWorld.originM;
  line.direction = inWorld.direction;
}

void EmbreeVolumes::PlacedTree::meetTogether(std::span<EllipsoidLine> lines) const {
  std::array<LineInWorld, PulseLines::width> inWorld;
  for (std::size_t index = 0; index < lines.size(); ++index) {
    inWorld[index] = {lines[index].originM, lines[index].direction};
    enter(lines[index]);
  }
  tree->meetTogether(lines);
  for (std::size_t index = 0; index < lines.size(); ++index) {
    lines[index].originM = inWorld[index].originM;
    lines[index].direction = inWorld[index].direction;
  }
}

void EmbreeVolumes::meetEllipsoids(std::span<EllipsoidLine> lines) const {
  if (placedTop_ == nullptr) {
    for (const PlacedTree& placed : placed_) placed.meetTogether(lines);
    return;
  }
  for (EllipsoidLine& line : lines) {
    RTCRayHit query{};
    setRay(query, 0, {line.originM, line.direction}, 0.0F, line.untilM);
    PlacedState state;
    state.line = &line;
    intersectWith(state.base, placedTop_, query);
  }
}

void EmbreeVolumes::first(const PulseLines& lines, float limitM, const LearnedDraws& draws,
                          LineHits& hits, LineTrails* trails) const {
  firstEllipsoids(lines, limitM, draws, hits, trails);
  if (!hasPoints()) return;
  PointHits points;
  firstPoints(lines, limitM, points);
  points.end(lines.count, hits);
}

void EmbreeVolumes::firstEllipsoids(const PulseLines& lines, float limitM,
                                    const LearnedDraws& draws, LineHits& hits,
                                    LineTrails* trails) const {
  hits.clear();
  std::array<EllipsoidLine, PulseLines::width> all;
  for (std::size_t index = 0; index < lines.count; ++index) {
    EllipsoidLine& line = all[index] = ellipsoidLineOf(lines, index, limitM);
    line.draws = &draws;
    if (trails != nullptr) {
      line.trail = &(*trails)[index];
      line.trail->clear();
    }
  }
  meetEllipsoids(std::span(all).first(lines.count));
  for (std::size_t index = 0; index < lines.count; ++index) {
    if (all[index].stopInstance != noInstance) storeStop(all[index], index, hits);
  }
}

void EmbreeVolumes::firstPoints(const PulseLines& lines, float limitM, PointHits& hits) const {
  if (pointsTop_ == nullptr) return;
  for (std::size_t line = 0; line < lines.count; ++line) {
    nearestPoint(pointsTop_, noInstance, rayOf(lines, line), limitM, line, hits);
  }
}

void EmbreeVolumes::firstPoint(std::size_t model, std::uint32_t instance, const PathRay& inModel,
                               float limitM, std::size_t line, PointHits& hits) const {
  nearestPoint(pointTrees_[model], instance, inModel, limitM, line, hits);
}

void EmbreeVolumes::nearestPoint(RTCSceneTy* tree, std::uint32_t instance, const PathRay& ray,
                                 float limitM, std::size_t line, PointHits& hits) const {
  RTCRayHit query{};
  setRay(query, 0, ray, 0.0F, limitM);
  PointState state;
  state.instance = instance;
  if (hits.instance[line] != noInstance) {
    state.distanceSquaredM2 = hits.distanceSquaredM2[line];
    query.hit.instID[0] = hits.instance[line];
    query.hit.primID = hits.primitive[line];
    query.hit.geomID = 0;
  }
  intersectWith(state.base, tree, query);
  if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return;
  if (query.hit.instID[0] == hits.instance[line] && query.hit.primID == hits.primitive[line]) {
    return;
  }
  hits.distanceSquaredM2[line] = state.distanceSquaredM2;
  hits.footM[line] = query.hit.u;
  hits.instance[line] = query.hit.instID[0];
  hits.primitive[line] = query.hit.primID;
  const ModelPoints& points = *points_[scene_.instances[query.hit.instID[0]].model];
  hits.normal[line] = points.model->points.normals[query.hit.primID - points.first];
}

void PointHits::end(std::size_t count, LineHits& hits) const {
  for (std::size_t line = 0; line < count; ++line) {
    if (instance[line] == noInstance || footM[line] >= hits.meanM[line]) continue;
    hits.meanM[line] = footM[line];
    hits.instance[line] = instance[line];
    hits.primitive[line] = primitive[line];
    hits.rangeM[line] = footM[line];
    hits.normal[line] = normal[line];
  }
}

Boundsf EmbreeVolumes::boundsOfPoints(std::size_t model) const {
  RTCBounds bounds;
  rtcGetSceneBounds(pointTrees_[model], &bounds);
  return {{bounds.lower_x, bounds.lower_y, bounds.lower_z},
          {bounds.upper_x, bounds.upper_y, bounds.upper_z}};
}

void EmbreeVolumes::minSupport(const PulseLines& lines,
                               const std::array<float, PulseLines::width>& untilM,
                               std::array<std::uint32_t, PulseLines::width>& support) const {
  std::array<EllipsoidLine, PulseLines::width> all;
  for (std::size_t index = 0; index < lines.count; ++index) {
    all[index] = ellipsoidLineOf(lines, index, untilM[index]);
    all[index].minSupport = &support[index];
  }
  meetEllipsoids(std::span(all).first(lines.count));
}

void EmbreeVolumes::release() {
  if (placedTop_ != nullptr) rtcReleaseScene(placedTop_);
  if (pointsTop_ != nullptr) rtcReleaseScene(pointsTop_);
  for (RTCSceneTy* tree : pointTrees_) {
    if (tree != nullptr) rtcReleaseScene(tree);
  }
}

}  // namespace understory
