// The directions of pulses: slot frames, the axes of a pulse, the nine directions of its beam. The pipeline and the
// raw benchmark aim through these functions alone, so their rays are the same bits.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "contract/sensorRecipe.h"
#include "core/maths/maths.h"
#include "core/sensor/stencil.h"
#include "core/sensor/trajectory.h"

namespace understory {

struct LaserAngle {
  double elevationRad = 0.0;
  double cosine = 1.0;
  double sine = 0.0;
};

inline LaserAngle laserAngle(double elevationRad) {
  return {elevationRad, std::cos(elevationRad), std::sin(elevationRad)};
}

// Time, position and axes of one slot. A pulse of elevation e points along ahead cos e + zenith sin e.
struct SlotFrame {
  std::int64_t timeNs = 0;
  double azimuthRad = 0.0;
  double cosAzimuth = 1.0;
  double sinAzimuth = 0.0;
  Vec3d originM;
  Vec3f rayOriginM;  // the same relative to the scene's origin
  Vec3d ahead;       // world direction of the slot's azimuth in the sensor's xy plane
  Vec3d left;        // world direction to the left of it
  Vec3d zenith;      // world direction of the sensor's z axis
  std::optional<LaserAngle> angle{};  // of its only pulse, where slots have elevations of their own
  Vec3d leverM;  // of the origin in the sensor's frame: (0, 0, 0) but for lasers with lever arms
};

// The angle of a laser's pulse in a slot.
inline const LaserAngle& angleIn(const SlotFrame& slot, const LaserAngle& laser) {
  return slot.angle ? *slot.angle : laser;
}

// `sceneOriginM`: Scene::originM.
SlotFrame slotFrame(const SensorRecipe& sensor, const Trajectory& trajectory, std::uint64_t slot,
                    Vec3d sceneOriginM = {}, PoseKind kind = PoseKind::actual);

// Where a sensor is at a time.
struct SensorPose {
  std::int64_t timeNs = 0;
  Vec3d originM;
  Vec3f rayOriginM;  // relative to the scene's origin
  Mat3d worldFromSensor;
};

// `mount`: what the sensor's pose is followed by.
SensorPose sensorPose(const Trajectory& trajectory, std::int64_t timeNs, Vec3d sceneOriginM = {},
                      PoseKind kind = PoseKind::actual, const Pose* mount = nullptr);

// As of a slot of that time and azimuth.
SlotFrame frameAt(const SensorPose& pose, double azimuthRad);

// Shared data of a sensor's pulses. A ray is axis * axisScale + left * leftScale + up * upScale, of
// length 1.
struct BeamOptics {
  std::array<float, raysPerPulse> axisScale{};
  std::array<float, raysPerPulse> leftScale{};
  std::array<float, raysPerPulse> upScale{};
  // Where rays start on the window, along the axes of the pulse, metres; 0 without an aperture.
  std::array<float, raysPerPulse> startLeftM{};
  std::array<float, raysPerPulse> startUpM{};
  bool hasAperture = false;
  std::array<float, raysPerPulse> weights{};
  std::vector<std::vector<LaserAngle>> lasers;  // by bank
};

BeamOptics beamOptics(const SensorRecipe& sensor);

// Origin and frame of one pulse in the world.
struct PulseAxes {
  Vec3f origin;
  Vec3f axis;
  Vec3f left;
  Vec3f up;
};

inline PulseAxes pulseAxes(const SlotFrame& slot, const LaserAngle& laser) {
  const LaserAngle& angle = angleIn(slot, laser);
  return {slot.rayOriginM, toFloat(slot.ahead * angle.cosine + slot.zenith * angle.sine),
          toFloat(slot.left), toFloat(slot.zenith * angle.cosine - slot.ahead * angle.sine)};
}

// Parts of a ray's direction along the axes of its pulse, of length 1 together, and where on the window it starts.
struct RayScale {
  float axis;
  float left;
  float up;
  float startLeftM = 0.0F;
  float startUpM = 0.0F;
};

// The window of a beam: where a ray starts for each metre of its offset on the plane 1 m ahead. So the spot at range r
// is (aperture + divergence r) wide and high, and its rays keep their places in it.
struct BeamWindow {
  double leftPerM = 0.0;
  double upPerM = 0.0;

  bool isOpen() const { return leftPerM > 0.0 || upPerM > 0.0; }
};

BeamWindow beamWindow(const BeamRecipe& beam);

// Where a ray starts, relative to its pulse's origin.
inline Vec3f rayStart(const RayScale& scale, const PulseAxes& pulse) {
  const float l = scale.startLeftM;
  const float u = scale.startUpM;
  return {l * pulse.left.x + u * pulse.up.x, l * pulse.left.y + u * pulse.up.y,
          l * pulse.left.z + u * pulse.up.z};
}

// Where a hit lies for each metre of its range, seen from `originM`, of a ray that starts at `startM`.
inline Vec3f towardsFrom(Vec3f originM, Vec3f startM, Vec3f direction, float rangeM) {
  if (rangeM <= 0.0F) return direction;
  return direction + (startM - originM) * (1.0F / rangeM);
}

inline Vec3f rayDirection(const RayScale& scale, const PulseAxes& pulse) {
  const float a = scale.axis;
  const float l = scale.left;
  const float u = scale.up;
  return {a * pulse.axis.x + l * pulse.left.x + u * pulse.up.x,
          a * pulse.axis.y + l * pulse.left.y + u * pulse.up.y,
          a * pulse.axis.z + l * pulse.left.z + u * pulse.up.z};
}

// The scales of one of a stencil's rays.
inline RayScale scaleOf(const BeamOptics& optics, std::size_t ray) {
  return {optics.axisScale[ray], optics.leftScale[ray], optics.upScale[ray], optics.startLeftM[ray],
          optics.startUpM[ray]};
}

inline Vec3f rayDirection(const BeamOptics& optics, const PulseAxes& pulse, std::size_t ray) {
  return rayDirection(scaleOf(optics, ray), pulse);
}

inline RayScale rayScale(const StencilRay& ray, const BeamWindow& window = {}) {
  const double scale = 1.0 / std::sqrt(1.0 + ray.left * ray.left + ray.up * ray.up);
  return {static_cast<float>(scale), static_cast<float>(scale * ray.left),
          static_cast<float>(scale * ray.up), static_cast<float>(window.leftPerM * ray.left),
          static_cast<float>(window.upPerM * ray.up)};
}

}  // namespace understory
