// Frames of moving instances at the times of pulses.
#include "surfaces/embree/movingVolumes.h"

#include <algorithm>

#include "surfaces/embree/ellipsoidLines.h"
#include "surfaces/embree/modelFrame.h"

namespace understory {
namespace {

Boundsf boundsOf(const EmbreeVolumes& volumes, std::size_t model) {
  Boundsf bounds;
  if (const EllipsoidTree* tree = volumes.ellipsoidsOf(model)) bounds = tree->bounds();
  if (volumes.hasPoints(model)) {
    const Boundsf points = volumes.boundsOfPoints(model);
    extend(bounds, points.min);
    extend(bounds, points.max);
  }
  return bounds;
}

}  // namespace

std::unique_ptr<const MovingVolumes> MovingVolumes::of(const EmbreeVolumes* volumes,
                                                       const Scene& scene, const Motions& motions) {
  const auto moves = [&](const Instance& instance) {
    return instance.isMoving() && hasLearnedElements(scene, instance);
  };
  if (volumes == nullptr || std::ranges::none_of(scene.instances, moves)) return nullptr;
  return std::unique_ptr<const MovingVolumes>(new MovingVolumes(*volumes, scene, motions));
}

MovingVolumes::MovingVolumes(const EmbreeVolumes& volumes, const Scene& scene,
                             const Motions& motions)
    : volumes_(volumes), scene_(scene), motions_(motions) {
  for (std::uint32_t index = 0; index < scene.instances.size(); ++index) {
    const Instance& instance = scene.instances[index];
    if (instance.isMoving() && hasLearnedElements(scene, instance))
      moving_.push_back(movingOf(index));
  }
}

MovingVolumes::Moving MovingVolumes::movingOf(std::uint32_t index) const {
  const Instance& instance = scene_.instances[index];
  Moving moving{index, instance.model, volumes_.ellipsoidsOf(instance.model), {}};
  const Boundsf bounds = boundsOf(volumes_, instance.model);
  for (std::size_t window = 0; window < motions_.windows(); ++window) {
    const Boundsf reachM = reachOf(motions_, instance, bounds, window);
    const Vec3f halfM = (reachM.max - reachM.min) * 0.5F;
    // Why more: boxes and lines are rounded.
    moving.windows.push_back({reachM.min + halfM, 1.001F * length(halfM) + 0.01F});
  }
  return moving;
}

bool MovingVolumes::Sphere::meets(const PathRay& line, float untilM) const {
  const Vec3f to = centreM - line.originM;
  const float alongM = dot(to, line.direction);
  const Vec3f off = to - line.direction * alongM;
  return dot(off, off) <= radiusM * radiusM && alongM > -radiusM && alongM - radiusM <= untilM;
}

void MovingVolumes::meetEllipsoids(const PathRay& world, EllipsoidLine& line) const {
  const std::size_t window = windowAt(motions_, world.timeNs);
  for (const Moving& moving : moving_) {
    if (moving.tree == nullptr || !moving.windows[window].meets(world, line.untilM)) continue;
    const ModelFrame frame(displacedAt(motions_, scene_.instances[moving.instance], world.timeNs));
    line.originM = frame.point(world.originM);
    line.direction = frame.direction(world.direction);
    line.instance = moving.instance;
    line.firstElement = volumes_.firstElementOf(moving.model);
    moving.tree->meet(line);
  }
}

void MovingVolumes::first(const PulseLines& lines, float limitM, const LearnedDraws& draws,
                          LineHits& hits, LineTrails* trails) const {
  volumes_.firstEllipsoids(lines, limitM, draws, hits, trails);
  for (std::size_t index = 0; index < lines.count; ++index) {
    EllipsoidLine line = ellipsoidLineOf(lines, index, std::min(limitM, hits.meanM[index]));
    line.draws = &draws;
    if (trails != nullptr) line.trail = &(*trails)[index];
    line.stopInstance = hits.instance[index];
    line.stopPrimitive = hits.primitive[index];
    meetEllipsoids(rayOf(lines, index), line);
    if (line.stopInstance != hits.instance[index]) storeStop(line, index, hits);
  }
  PointHits points;
  volumes_.firstPoints(lines, limitM, points);
  meetPoints(lines, limitM, points);
  points.end(lines.count, hits);
}

void MovingVolumes::meetPoints(const PulseLines& lines, float limitM, PointHits& hits) const {
  for (std::size_t index = 0; index < lines.count; ++index) {
    const PathRay world = rayOf(lines, index);
    const std::size_t window = windowAt(motions_, world.timeNs);
    for (const Moving& moving : moving_) {
      if (!volumes_.hasPoints(moving.model)) continue;
      if (!moving.windows[window].meets(world, limitM)) continue;
      const Placement placed =
          displacedAt(motions_, scene_.instances[moving.instance], world.timeNs);
      const ModelFrame frame(placed);
      volumes_.firstPoint(moving.model, moving.instance,
                          {frame.point(world.originM), frame.direction(world.direction)}, limitM,
                          index, hits);
      if (hits.instance[index] != moving.instance) continue;
      hits.normal[index] = toFloat(rotate(placed.rotation, toDouble(hits.normal[index])));
    }
  }
}

void MovingVolumes::minSupport(const PulseLines& lines,
                               const std::array<float, PulseLines::width>& untilM,
                               std::array<std::uint32_t, PulseLines::width>& support) const {
  volumes_.minSupport(lines, untilM, support);
  for (std::size_t index = 0; index < lines.count; ++index) {
    EllipsoidLine line = ellipsoidLineOf(lines, index, untilM[index]);
    line.minSupport = &support[index];
    meetEllipsoids(rayOf(lines, index), line);
  }
}

}  // namespace understory
