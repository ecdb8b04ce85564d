// Turns and centres between steps.
#include "core/scene/motions.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"

namespace understory {
namespace {

// A time between two steps.
struct StepsAround {
  const Pose& from;
  const Pose& to;
  double share;

  Pose pose() const { return between(from, to, share); }
};

StepsAround stepsAround(const Motions& motions, const Motion& motion, std::int64_t timeNs) {
  const std::size_t last = motion.steps.size() - 1;
  const std::int64_t sinceNs =
      std::clamp<std::int64_t>(timeNs - motions.firstWindow * motionWindowNs, 0,
                               static_cast<std::int64_t>(last) * motionStepNs);
  const std::size_t step = std::min(static_cast<std::size_t>(sinceNs / motionStepNs), last - 1);
  const std::int64_t intoNs = sinceNs - static_cast<std::int64_t>(step) * motionStepNs;
  return {motion.steps[step], motion.steps[step + 1],
          static_cast<double>(intoNs) / static_cast<double>(motionStepNs)};
}

Placement placedBy(const Motion& motion, const Pose& pose, const Instance& instance) {
  return {pose.positionM + rotate(pose.rotation, instance.positionM - motion.centreM),
          normalized(pose.rotation * instance.rotation), instance.scale};
}

// The turn as axis times angle, by the shorter way.
Vec3d rotationVector(Quatd turn) {
  if (turn.w < 0.0) turn = {-turn.x, -turn.y, -turn.z, -turn.w};
  const Vec3d axis{turn.x, turn.y, turn.z};
  const double sine = length(axis);
  return sine == 0.0 ? Vec3d{} : axis * (2.0 * std::atan2(sine, turn.w) / sine);
}

}  // namespace

std::size_t windowAt(const Motions& motions, std::int64_t timeNs) {
  const auto last = static_cast<std::int64_t>(motions.windows()) - 1;
  const std::int64_t sinceNs = timeNs - motions.firstWindow * motionWindowNs;
  return static_cast<std::size_t>(std::clamp<std::int64_t>(motionWindowOf(sinceNs), 0, last));
}

Placement displacedAt(const Motions& motions, const Instance& instance, std::int64_t timeNs) {
  if (motions.list.empty()) return {instance.positionM, instance.rotation, instance.scale};
  const Motion& motion = motions.list[instance.motion];
  return placedBy(motion, stepsAround(motions, motion, timeNs).pose(), instance);
}

Boundsf reachOf(const Motions& motions, const Instance& instance, const Boundsf& model,
                std::size_t window) {
  const Placement atRest{instance.positionM, instance.rotation, instance.scale};
  if (motions.list.empty()) return worldBounds(atRest, model);
  const Motion& motion = motions.list[instance.motion];
  const std::size_t first = window * stepsOfMotionWindow;
  Boundsf reach;
  double maxTurnRad = 0.0;
  for (std::size_t step = first; step <= first + stepsOfMotionWindow; ++step) {
    const Boundsf box = worldBounds(placedBy(motion, motion.steps[step], instance), model);
    extend(reach, box.min);
    extend(reach, box.max);
    if (step == first) continue;
    const Quatd turn = motion.steps[step].rotation * conjugate(motion.steps[step - 1].rotation);
    maxTurnRad = std::max(maxTurnRad, length(rotationVector(turn)));
  }
  const Boundsf rest = worldBounds(atRest, model);
  const Vec3d lowM = toDouble(rest.min) - motion.centreM;
  const Vec3d highM = toDouble(rest.max) - motion.centreM;
  const double radiusM = length(Vec3d{std::max(std::abs(lowM.x), std::abs(highM.x)),
                                      std::max(std::abs(lowM.y), std::abs(highM.y)),
                                      std::max(std::abs(lowM.z), std::abs(highM.z))});
  // Between two steps a point is at most an eighth of its acceleration in units of a step from the straight line.
  const auto besideM = static_cast<float>(0.125 * radiusM * maxTurnRad * maxTurnRad);
  const Vec3f beside{besideM, besideM, besideM};
  return {reach.min - beside, reach.max + beside};
}

Vec3d velocityAt(const Motions& motions, const Instance& instance, std::int64_t timeNs,
                 Vec3d pointM) {
  if (motions.list.empty()) return {};
  const StepsAround steps = stepsAround(motions, motions.list[instance.motion], timeNs);
  constexpr double perS = 1e9 / static_cast<double>(motionStepNs);
  const Vec3d turnPerStep = rotationVector(steps.to.rotation * conjugate(steps.from.rotation));
  const Vec3d centrePerStepM = steps.to.positionM - steps.from.positionM;
  return (centrePerStepM + cross(turnPerStep, pointM - steps.pose().positionM)) * perS;
}

Vec3d undisplaced(const Motions& motions, const Instance& instance, std::int64_t timeNs,
                  Vec3d pointM) {
  const Placement placed = displacedAt(motions, instance, timeNs);
  const Vec3d inModel = rotate(conjugate(placed.rotation), pointM - placed.positionM);
  return instance.positionM + rotate(instance.rotation, inModel);
}

void checkMotions(const Scene& scene, const Motions& motions) {
  if (motions.list.empty()) return;
  if (motions.list.size() != scene.motions) {
    throw UnderstoryError(ErrorCode::badInput, "expected " + std::to_string(scene.motions) +
                                                   " motions, found " +
                                                   std::to_string(motions.list.size()));
  }
  const std::size_t poses = motions.list.front().steps.size();
  if (poses <= stepsOfMotionWindow || (poses - 1) % stepsOfMotionWindow != 0) {
    throw UnderstoryError(ErrorCode::badInput,
                          "motions have whole windows of " + std::to_string(stepsOfMotionWindow) +
                              " steps, found " + std::to_string(poses) + " poses");
  }
}

}  // namespace understory
