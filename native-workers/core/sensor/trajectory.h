// Where the sensor is over time: poses at strictly increasing times, straight and turning evenly
// between them (lerp, slerp), held before the first and after the last. They may be those of a platform on which the
// sensor is mounted, and differ from the poses that its navigation reports.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/maths/maths.h"

namespace understory {

struct Pose {
  Vec3d positionM;
  Quatd rotation;  // worldFromSensor
};

// Straight and turning evenly: share 0 is `from`, 1 is `to`.
Pose between(const Pose& from, const Pose& to, double share);

// Normalises the rotation. Throws 'bad-input', with the index, where the position is not finite or the rotation's length
// differs from 1 by more than 1e-3. `what` has the pose.
void checkRigid(Pose& pose, const char* what, std::size_t index);

struct Trajectory {
  std::vector<std::int64_t> timesNs;
  std::vector<Pose> poses;  // as many
  // platformFromSensor: poses are the platform's. Nothing: they are the sensor's own.
  std::optional<Pose> mount = {};
  // The poses as reported, at the same times; empty: the true ones.
  std::vector<Pose> reported = {};
};

// Throws UnderstoryError 'bad-input' unless there is a pose, times strictly increase, positions are
// finite and rotations have length 1 within 1e-3 (they are normalised); reported poses are none or as many.
void checkTrajectory(Trajectory& trajectory);

// Where the sensor is, or where its navigation reports it to be.
enum class PoseKind { actual, reported };

// worldFromSensor at a time: the platform's pose between two others, then its mount.
Pose poseAt(const Trajectory& trajectory, std::int64_t timeNs, PoseKind kind = PoseKind::actual);

// Velocity of the sensor's origin, in metres per second; 0 before the first pose and after the last.
Vec3d velocityAt(const Trajectory& trajectory, std::int64_t timeNs);

}  // namespace understory
