// Interpolated sensor poses.
#include "core/sensor/trajectory.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"

namespace understory {

Pose between(const Pose& from, const Pose& to, double share) {
  return {from.positionM + (to.positionM - from.positionM) * share,
          slerp(from.rotation, to.rotation, share)};
}

void checkRigid(Pose& pose, const char* what, std::size_t index) {
  const double norm = std::sqrt(dot(pose.rotation, pose.rotation));
  const bool isFinite = std::isfinite(dot(pose.positionM, pose.positionM));
  if (!isFinite || !(std::abs(norm - 1.0) < 1e-3)) {
    throw UnderstoryError(ErrorCode::badInput,
                          std::string(what) + " holds a pose that is no rigid motion",
                          {{"index", index}});
  }
  pose.rotation = normalized(pose.rotation);
}

namespace {

Pose platformPoseAt(const std::vector<std::int64_t>& timesNs, const std::vector<Pose>& poses,
                    std::int64_t timeNs) {
  const auto after = std::upper_bound(timesNs.begin(), timesNs.end(), timeNs);
  if (after == timesNs.begin()) return poses.front();
  if (after == timesNs.end()) return poses.back();
  const auto next = static_cast<std::size_t>(after - timesNs.begin());
  const double share = static_cast<double>(timeNs - timesNs[next - 1]) /
                       static_cast<double>(*after - timesNs[next - 1]);
  return between(poses[next - 1], poses[next], share);
}

}  // namespace

void checkTrajectory(Trajectory& trajectory) {
  if (trajectory.poses.empty() || trajectory.poses.size() != trajectory.timesNs.size()) {
    throw UnderstoryError(ErrorCode::badInput,
                          "the trajectory needs at least one pose, each with its time");
  }
  if (!trajectory.reported.empty() && trajectory.reported.size() != trajectory.poses.size()) {
    throw UnderstoryError(ErrorCode::badInput,
                          "the trajectory needs as many reported poses as poses");
  }
  for (std::size_t index = 0; index < trajectory.poses.size(); ++index) {
    checkRigid(trajectory.poses[index], "the trajectory", index);
    if (!trajectory.reported.empty())
      checkRigid(trajectory.reported[index], "the trajectory", index);
    if (index > 0 && trajectory.timesNs[index] <= trajectory.timesNs[index - 1]) {
      throw UnderstoryError(ErrorCode::badInput,
                            "the times of the trajectory must strictly increase",
                            {{"index", index}});
    }
  }
  if (trajectory.mount) checkRigid(*trajectory.mount, "the mount", 0);
}

Vec3d velocityAt(const Trajectory& trajectory, std::int64_t timeNs) {
  const auto& times = trajectory.timesNs;
  if (timeNs < times.front() || timeNs > times.back() || times.size() == 1) return {};
  // Within one stretch between poses: after the time, or before it at the very end.
  constexpr std::int64_t stepNs = 1000;
  const std::int64_t fromNs = timeNs == times.back() ? timeNs - stepNs : timeNs;
  const Vec3d wayM =
      poseAt(trajectory, fromNs + stepNs).positionM - poseAt(trajectory, fromNs).positionM;
  return wayM * (1e9 / static_cast<double>(stepNs));
}

Pose poseAt(const Trajectory& trajectory, std::int64_t timeNs, PoseKind kind) {
  const bool isReported = kind == PoseKind::reported && !trajectory.reported.empty();
  const Pose platform = platformPoseAt(trajectory.timesNs,
                                       isReported ? trajectory.reported : trajectory.poses, timeNs);
  if (!trajectory.mount) return platform;
  const Pose& mount = *trajectory.mount;
  return {platform.positionM + rotate(platform.rotation, mount.positionM),
          normalized(platform.rotation * mount.rotation)};
}

}  // namespace understory
