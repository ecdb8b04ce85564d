// Slot frames and the beam's scales.
#include "aim/beamRays.h"

#include <cmath>

#include "core/mutation.h"
#include "core/sensor/pulses.h"

namespace understory {

SlotFrame slotFrame(const SensorRecipe& sensor, const Trajectory& trajectory, std::uint64_t slot,
                    Vec3d sceneOriginM, PoseKind kind) {
  const SlotAim aim = slotAim(sensor, slot);
  const SensorPose pose = sensorPose(trajectory, aim.timeNs, sceneOriginM, kind);
  SlotFrame frame = frameAt(pose, aim.azimuthRad);
  if (activeMutation() == Mutation::azimuthMirrored) {
    frame = frameAt(pose, -aim.azimuthRad);
    frame.azimuthRad = aim.azimuthRad;
  }
  if (aim.elevationRad) frame.angle = laserAngle(*aim.elevationRad);
  return frame;
}

SensorPose sensorPose(const Trajectory& trajectory, std::int64_t timeNs, Vec3d sceneOriginM,
                      PoseKind kind, const Pose* mount) {
  Pose pose = poseAt(trajectory, timeNs, kind);
  Mat3d worldFromSensor = matrixOf(pose.rotation);
  if (mount != nullptr) {
    pose.positionM = pose.positionM + worldFromSensor * mount->positionM;
    worldFromSensor = matrixOf(pose.rotation * mount->rotation);
  }
  return {timeNs, pose.positionM, toFloat(pose.positionM - sceneOriginM), worldFromSensor};
}

SlotFrame frameAt(const SensorPose& pose, double azimuthRad) {
  SlotFrame frame;
  frame.timeNs = pose.timeNs;
  frame.azimuthRad = azimuthRad;
  frame.cosAzimuth = std::cos(azimuthRad);
  frame.sinAzimuth = std::sin(azimuthRad);
  frame.originM = pose.originM;
  frame.rayOriginM = pose.rayOriginM;
  frame.ahead = pose.worldFromSensor * Vec3d{frame.cosAzimuth, frame.sinAzimuth, 0.0};
  frame.left = pose.worldFromSensor * Vec3d{-frame.sinAzimuth, frame.cosAzimuth, 0.0};
  frame.zenith = pose.worldFromSensor * Vec3d{0.0, 0.0, 1.0};
  return frame;
}

BeamWindow beamWindow(const BeamRecipe& beam) {
  const auto perM = [](double apertureM, double divergenceRad) {
    return apertureM > 0.0 ? 0.5 * apertureM / std::tan(0.5 * divergenceRad) : 0.0;
  };
  return {perM(beam.apertureHorizontalM, beam.divergenceHorizontalRad),
          perM(beam.apertureVerticalM, beam.divergenceVerticalRad)};
}

BeamOptics beamOptics(const SensorRecipe& sensor) {
  BeamOptics optics;
  const std::array<StencilRay, raysPerPulse> stencil = makeStencil(sensor.beam);
  const BeamWindow window = beamWindow(sensor.beam);
  optics.hasAperture = window.isOpen();
  for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
    StencilRay traced = stencil[ray];
    if (activeMutation() == Mutation::stencilTooNarrow) {
      traced.left *= 0.94;
      traced.up *= 0.94;
    }
    const RayScale scale = rayScale(traced, window);
    optics.axisScale[ray] = scale.axis;
    optics.leftScale[ray] = scale.left;
    optics.upScale[ray] = scale.up;
    optics.startLeftM[ray] = scale.startLeftM;
    optics.startUpM[ray] = scale.startUpM;
    optics.weights[ray] = static_cast<float>(stencil[ray].weight);
  }
  for (const LaserBank& bank : sensor.banks) {
    std::vector<LaserAngle>& lasers = optics.lasers.emplace_back();
    for (const double elevationRad : bank.elevationsRad) {
      lasers.push_back(laserAngle(elevationRad));
    }
  }
  return optics;
}

}  // namespace understory
