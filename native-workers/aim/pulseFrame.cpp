// Aims in the sensor's frame become axes in the world.
#include "aim/pulseFrame.h"

#include <cmath>

#include "core/returns/noise.h"
#include "core/sensor/aim.h"
#include "core/sensor/serial.h"

namespace understory {
namespace {

PulseFrame frameOf(const SensorPose& pose, const PulseAim& aim, Vec3d sceneOriginM) {
  PulseFrame pulse{frameAt(pose, aim.azimuthRad), laserAngle(aim.elevationRad)};
  if (aim.leverLeftM == 0.0 && aim.leverUpM == 0.0) return pulse;
  SlotFrame& frame = pulse.frame;
  const Vec3d up = frame.zenith * pulse.angle.cosine - frame.ahead * pulse.angle.sine;
  frame.originM = frame.originM + frame.left * aim.leverLeftM + up * aim.leverUpM;
  frame.rayOriginM = toFloat(frame.originM - sceneOriginM);
  const double ahead = -pulse.angle.sine * aim.leverUpM;
  frame.leverM = {frame.cosAzimuth * ahead - frame.sinAzimuth * aim.leverLeftM,
                  frame.sinAzimuth * ahead + frame.cosAzimuth * aim.leverLeftM,
                  pulse.angle.cosine * aim.leverUpM};
  return pulse;
}

// The axes of a pulse whose spot is rolled about its beam, and then turned by a small error towards its left and up.
PulseAxes axesOf(const PulseFrame& pulse, double rollRad, PointingError error) {
  const bool isExact = error.leftRad == 0.0 && error.upRad == 0.0;
  if (isExact && rollRad == 0.0) return pulseAxes(pulse.frame, pulse.angle);
  const SlotFrame& frame = pulse.frame;
  const Vec3d axis = frame.ahead * pulse.angle.cosine + frame.zenith * pulse.angle.sine;
  const Vec3d level = frame.left;
  const Vec3d upright = frame.zenith * pulse.angle.cosine - frame.ahead * pulse.angle.sine;
  const Vec3d left = level * std::cos(rollRad) - upright * std::sin(rollRad);
  const Vec3d up = level * std::sin(rollRad) + upright * std::cos(rollRad);
  if (isExact) return {frame.rayOriginM, toFloat(axis), toFloat(left), toFloat(up)};
  const Vec3d turnedAxis =
      normalized(axis + left * std::tan(error.leftRad) + up * std::tan(error.upRad));
  const Vec3d turnedLeft = normalized(left - turnedAxis * dot(left, turnedAxis));
  return {frame.rayOriginM, toFloat(turnedAxis), toFloat(turnedLeft),
          toFloat(cross(turnedAxis, turnedLeft))};
}

}  // namespace

AimedPulse aimedPulse(const SensorRecipe& sensor, const Trajectory& trajectory, std::uint64_t seed,
                      const PulseName& pulse, Vec3d sceneOriginM) {
  const BothAims aims = aimsOf(sensor, pulse.slot, pulse.bank, pulse.laser);
  const PulseAim& aim = aims.actual;
  const SensorPose pose = sensorPose(trajectory, aim.timeNs, sceneOriginM);
  const PulseFrame own = frameOf(pose, aim, sceneOriginM);
  AimedPulse aimed{own, {}};
  if (!trajectory.reported.empty()) {
    aimed.reported = frameOf(sensorPose(trajectory, aim.timeNs, sceneOriginM, PoseKind::reported),
                             aims.reported.value_or(aim), sceneOriginM);
  } else if (aims.reported) {
    aimed.reported = frameOf(pose, *aims.reported, sceneOriginM);
  }
  const PointingError error = pointingError(sensor, seed, pulse.number);
  if (!hasMountError(sensor)) {
    aimed.axes = axesOf(own, aim.rollRad, error);
    return aimed;
  }
  const Pose mount = mountError(sensor);
  const SensorPose mounted =
      sensorPose(trajectory, aim.timeNs, sceneOriginM, PoseKind::actual, &mount);
  aimed.axes = axesOf(frameOf(mounted, aim, sceneOriginM), aim.rollRad, error);
  return aimed;
}

PulseFrame reportedPulse(const SensorRecipe& sensor, const Trajectory& trajectory,
                         const PulseName& pulse) {
  const PulseAim aim = reportedAimOf(sensor, pulse.slot, pulse.bank, pulse.laser);
  return frameOf(sensorPose(trajectory, aim.timeNs, {}, PoseKind::reported), aim, {});
}

}  // namespace understory
