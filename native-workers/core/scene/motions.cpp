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

// The turn as axis times angle, by the shorter way.
Vec3d rotationVector(Quatd turn) {
  if (turn.w < 0.0) turn = {-turn.x, -turn.y, -turn.z, -turn.w};
  const Vec3d axis{turn.x, turn.y, turn.z};
  const double sine = length(axis);
  return sine == 0.0 ? Vec3d{} : axis * (2.0 * std::atan2(sine, turn.w) / sine);
}

}  // namespace

Placement displacedAt(const Motions& motions, const Instance& instance, std::int64_t timeNs) {
  if (motions.list.empty()) return {instance.positionM, instance.rotation, instance.scale};
  const Motion& motion = motions.list[instance.motion];
  const auto [centreM, turn] = stepsAround(motions, motion, timeNs).pose();
  return {centreM + rotate(turn, instance.positionM - motion.centreM),
          normalized(turn * instance.rotation), instance.scale};
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
