// Where the sensor is over time: poses at strictly increasing times, straight and turning evenly
// between them (lerp, slerp), held before the first and after the last.
#pragma once

#include <cstdint>
#include <vector>

#include "core/maths/maths.h"

namespace understory {

struct Pose {
  Vec3d positionM;
  Quatd rotation;  // worldFromSensor
};

struct Trajectory {
  std::vector<std::int64_t> timesNs;
  std::vector<Pose> poses;  // as many
};

// Throws UnderstoryError 'bad-input' unless there is a pose, times strictly increase, positions are
// finite and rotations have length 1 within 1e-3 (they are normalised).
void checkTrajectory(Trajectory& trajectory);

// worldFromSensor at a time.
Pose poseAt(const Trajectory& trajectory, std::int64_t timeNs);

}  // namespace understory
