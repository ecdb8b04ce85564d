// A tree for each window, with a placement for each of its steps.
#include "surfaces/embree/movingScene.h"

#include <algorithm>

#include "core/mutation.h"

namespace understory {

MovingScene::MovingScene(const EmbreeScene& models, const Scene& scene, const Motions& motions,
                         const Watch& watch)
    : models_(models), scene_(scene), motions_(motions) {
  for (std::uint32_t index = 0; index < scene.instances.size(); ++index) {
    if (scene.instances[index].isMoving()) moving_.push_back(index);
  }
  if (moving_.empty()) return;
  windows_.reserve(motions.windows());
  for (std::size_t window = 0; window < motions.windows(); ++window) {
    watch.throwIfCancelled();
    TopLevel& top = windows_.emplace_back(models.device().handle());
    placeInstances(window, top);
    // Why without progress: a window has few copies.
    top.commit({nullptr, watch.isCancelled});
  }
}

void MovingScene::placeInstances(std::size_t window, TopLevel& top) const {
  std::vector<Pose> steps;
  for (const std::uint32_t index : moving_) {
    const Instance& instance = scene_.instances[index];
    RTCSceneTy* const model = models_.model(instance.model);
    if (motions_.list.empty()) {
      top.place(index, model, Placement{instance.positionM, instance.rotation, instance.scale});
      continue;
    }
    const Motion& motion = motions_.list[instance.motion];
    steps.clear();
    for (std::size_t step = 0; step <= stepsOfMotionWindow; ++step) {
      const auto& [positionM, turn] = motion.steps[window * stepsOfMotionWindow + step];
      steps.push_back({positionM, normalized(turn * instance.rotation)});
    }
    const Vec3d fromCentreM =
        rotate(conjugate(instance.rotation), instance.positionM - motion.centreM);
    top.place(index, model, MovingPlacement{fromCentreM, instance.scale, steps});
  }
}

MovingScene::Moment MovingScene::momentOf(std::int64_t timeNs) const {
  const std::int64_t sinceNs = timeNs - motions_.firstWindow * motionWindowNs;
  const auto last = static_cast<std::int64_t>(windows_.size()) - 1;
  const std::int64_t window = std::clamp<std::int64_t>(motionWindowOf(sinceNs), 0, last);
  const double share =
      static_cast<double>(sinceNs - window * motionWindowNs) / static_cast<double>(motionWindowNs);
  if (activeMutation() == Mutation::rayTimeIgnored) return {static_cast<std::size_t>(window), 0.0F};
  return {static_cast<std::size_t>(window), static_cast<float>(std::clamp(share, 0.0, 1.0))};
}

FacetHit MovingScene::nearestInModel(const PathRay& ray, float fromM, float limitM) const {
  const Moment moment = momentOf(ray.timeNs);
  return windows_[moment.window].nearest(ray, fromM, limitM, moment.time);
}

bool MovingScene::isBlocked(const PathRay& ray, float fromM, float limitM) const {
  if (isEmpty()) return false;
  const Moment moment = momentOf(ray.timeNs);
  return windows_[moment.window].isBlocked(ray, fromM, limitM, moment.time);
}

FacetHit MovingScene::inWorld(const FacetHit& hit, std::int64_t timeNs) const {
  if (!hit.isHit) return hit;
  const Placement placed = displacedAt(motions_, scene_.instances[hit.instance], timeNs);
  FacetHit turned = hit;
  turned.facet = toFloat(rotate(placed.rotation, toDouble(hit.facet)));
  return turned;
}

}  // namespace understory
