// Aims in the sensor's frame become axes in the world.
#include "aim/pulseFrame.h"

#include <cmath>

#include "core/returns/noise.h"
#include "core/sensor/aim.h"
#include "core/sensor/serial.h"

namespace understory {
namespace {

PulseFrame frameOf(const Trajectory& trajectory, const PulseAim& aim, Vec3d sceneOriginM,
                   PoseKind kind, const Pose* mount = nullptr) {
  PulseFrame pulse{frameAt(trajectory, aim.timeNs, aim.azimuthRad, sceneOriginM, mount, kind),
                   laserAngle(aim.elevationRad)};
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
  const PulseAim aim = aimOf(sensor, pulse.slot, pulse.bank, pulse.laser);
  const PulseAim reported = reportedAimOf(sensor, pulse.slot, pulse.bank, pulse.laser);
  const PulseFrame own = frameOf(trajectory, aim, sceneOriginM, PoseKind::actual);
  const bool isRounded =
      reported.azimuthRad != aim.azimuthRad || reported.elevationRad != aim.elevationRad;
  const PulseFrame reportedFrame =
      isRounded || !trajectory.reported.empty()
          ? frameOf(trajectory, reported, sceneOriginM, PoseKind::reported)
          : own;
  const PointingError error = pointingError(sensor, seed, pulse.number);
  if (!hasMountError(sensor)) return {reportedFrame, axesOf(own, aim.rollRad, error)};
  const Pose mount = mountError(sensor);
  return {reportedFrame, axesOf(frameOf(trajectory, aim, sceneOriginM, PoseKind::actual, &mount),
                                aim.rollRad, error)};
}

PulseFrame reportedPulse(const SensorRecipe& sensor, const Trajectory& trajectory,
                         const PulseName& pulse) {
  return frameOf(trajectory, reportedAimOf(sensor, pulse.slot, pulse.bank, pulse.laser), {},
                 PoseKind::reported);
}

}  // namespace understory
