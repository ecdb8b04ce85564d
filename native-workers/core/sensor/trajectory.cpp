// Interpolated sensor poses.
#include "core/sensor/trajectory.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace understory {

void checkTrajectory(Trajectory& trajectory) {
  if (trajectory.poses.empty() || trajectory.poses.size() != trajectory.timesNs.size()) {
    throw UnderstoryError(ErrorCode::badInput,
                          "the trajectory needs at least one pose, each with its time");
  }
  for (std::size_t index = 0; index < trajectory.poses.size(); ++index) {
    Pose& pose = trajectory.poses[index];
    const double norm = std::sqrt(dot(pose.rotation, pose.rotation));
    const bool isFinite = std::isfinite(dot(pose.positionM, pose.positionM));
    if (!isFinite || !(std::abs(norm - 1.0) < 1e-3)) {
      throw UnderstoryError(ErrorCode::badInput,
                            "the trajectory holds a pose that is no rigid motion",
                            {{"index", index}});
    }
    pose.rotation = normalized(pose.rotation);
    if (index > 0 && trajectory.timesNs[index] <= trajectory.timesNs[index - 1]) {
      throw UnderstoryError(ErrorCode::badInput,
                            "the times of the trajectory must strictly increase",
                            {{"index", index}});
    }
  }
}

Pose poseAt(const Trajectory& trajectory, std::int64_t timeNs) {
  const auto after = std::upper_bound(trajectory.timesNs.begin(), trajectory.timesNs.end(), timeNs);
  if (after == trajectory.timesNs.begin()) return trajectory.poses.front();
  if (after == trajectory.timesNs.end()) return trajectory.poses.back();
  const auto next = static_cast<std::size_t>(after - trajectory.timesNs.begin());
  const Pose& from = trajectory.poses[next - 1];
  const Pose& to = trajectory.poses[next];
  const double share = static_cast<double>(timeNs - trajectory.timesNs[next - 1]) /
                       static_cast<double>(*after - trajectory.timesNs[next - 1]);
  return {from.positionM + (to.positionM - from.positionM) * share,
          slerp(from.rotation, to.rotation, share)};
}

}  // namespace understory
