// Where each pulse goes, in the sensor's own frame: heads that turn, sweeps, mirrors and images alike.
// Everything is a pure function of the absolute slot number and the laser (PHYSICS.md, 1.4 to 1.7).
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/sensor/sensorRecipe.h"

namespace understory {

// Time and direction of one pulse: (cos e cos a, cos e sin a, sin e) in the sensor's frame.
struct PulseAim {
  std::int64_t timeNs = 0;  // simulated; the laser's own where the sensor has a firing table
  double azimuthRad = 0.0;
  double elevationRad = 0.0;
};

// The aim of laser `laser` of bank `bank` when slot `slot` fires, without pointing error.
PulseAim aimOf(const SensorRecipe& sensor, std::uint64_t slot, std::size_t bank, std::size_t laser);

// What the sensor reports of it: the azimuth rounded down to the encoder's step.
PulseAim reportedAim(const SensorRecipe& sensor, PulseAim aim);

// Whether all lasers of a slot share its time and azimuth, and elevations are those of the lasers alone:
// the fast path for nine rays relies on it (pulses/fastPath.h).
bool sharesSlotAim(const SensorRecipe& sensor);

// Whether a sensor's rays are the nine of a stencil around the axes of its slots and lasers.
bool hasStencilRays(const SensorRecipe& sensor);

}  // namespace understory
