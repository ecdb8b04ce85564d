// Where each pulse goes, in the sensor's own frame: heads that turn, sweeps, mirrors, images and panoramas alike.
// Everything is a pure function of the absolute slot number and the laser (PHYSICS.md, 1.4 to 1.7).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "contract/sensorRecipe.h"

namespace understory {

// Time and direction of one pulse: (cos e cos a, cos e sin a, sin e) in the sensor's frame.
struct PulseAim {
  std::int64_t timeNs = 0;  // simulated; the laser's own where the sensor has a firing table
  double azimuthRad = 0.0;
  double elevationRad = 0.0;
  double leverLeftM = 0.0;  // where the laser is beside the origin: towards the left of its pulse
  double leverUpM = 0.0;    // and upwards, across it
  double rollRad = 0.0;     // of the spot about the beam: counter-clockwise as the sensor sees it
};

// The aim of laser `laser` of bank `bank` when slot `slot` fires, without pointing error.
PulseAim aimOf(const SensorRecipe& sensor, std::uint64_t slot, std::size_t bank, std::size_t laser);

// The aim as the sensor reports it: its encoder counts whole steps of the head, or of the mirror, in the direction in
// which it turns; what a table adds for the laser is added to them.
PulseAim reportedAimOf(const SensorRecipe& sensor, std::uint64_t slot, std::size_t bank,
                       std::size_t laser);

// Both at once.
struct BothAims {
  PulseAim actual;
  std::optional<PulseAim> reported{};  // of a sensor with an encoder
};
BothAims aimsOf(const SensorRecipe& sensor, std::uint64_t slot, std::size_t bank,
                std::size_t laser);

// Whether all pulses of a slot share its time, azimuth and origin, elevations are those of the lasers or the slot alone,
// and none has an error of its own: then they are aimed together, from the slot's frame.
bool sharesSlotAim(const SensorRecipe& sensor);

// Whether rays start elsewhere than where the sensor reports: on a window, on a mount with errors, or at lever arms
// that are not where the encoder has them.
bool hasOwnOrigins(const SensorRecipe& sensor);

// Whether every pulse has the nine rays of a stencil around its axis.
bool hasStencilRays(const SensorRecipe& sensor);

}  // namespace understory
