// Slot frames and the beam's scales.
#include "trace/beamRays.h"

#include <cmath>

#include "core/sensor/pulses.h"

namespace understory {

SlotFrame slotFrame(const SensorRecipe& sensor, const Trajectory& trajectory, std::uint64_t slot) {
  SlotFrame frame;
  frame.timeNs = slotTimeNs(sensor, slot);
  frame.azimuthRad = slotAzimuthRad(sensor, slot);
  frame.cosAzimuth = std::cos(frame.azimuthRad);
  frame.sinAzimuth = std::sin(frame.azimuthRad);
  const Pose pose = poseAt(trajectory, frame.timeNs);
  const Mat3d worldFromSensor = matrixOf(pose.rotation);
  frame.originM = pose.positionM;
  frame.ahead = worldFromSensor * Vec3d{frame.cosAzimuth, frame.sinAzimuth, 0.0};
  frame.left = worldFromSensor * Vec3d{-frame.sinAzimuth, frame.cosAzimuth, 0.0};
  frame.zenith = worldFromSensor * Vec3d{0.0, 0.0, 1.0};
  return frame;
}

BeamOptics beamOptics(const SensorRecipe& sensor) {
  BeamOptics optics;
  const std::array<StencilRay, raysPerPulse> stencil = makeStencil(sensor.beam);
  for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
    const auto [left, up, weight] = stencil[ray];
    const double scale = 1.0 / std::sqrt(1.0 + left * left + up * up);
    optics.axisScale[ray] = static_cast<float>(scale);
    optics.leftScale[ray] = static_cast<float>(scale * left);
    optics.upScale[ray] = static_cast<float>(scale * up);
    optics.weights[ray] = static_cast<float>(weight);
  }
  for (const LaserBlock& block : sensor.blocks) {
    std::vector<LaserAngle>& lasers = optics.lasers.emplace_back();
    for (const double elevationRad : block.elevationsRad) {
      lasers.push_back({elevationRad, std::cos(elevationRad), std::sin(elevationRad)});
    }
  }
  return optics;
}

}  // namespace understory
