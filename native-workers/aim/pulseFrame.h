// Time, origin and direction of one pulse: as its sensor reports them, and as its rays have them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "aim/beamRays.h"
#include "contract/sensorRecipe.h"
#include "core/sensor/trajectory.h"

namespace understory {

// A pulse as the sensor reports it: without pointing error, azimuth in steps of its encoder.
struct PulseFrame {
  SlotFrame frame;
  LaserAngle angle;
};

// Which pulse: laser `laser` of bank `bank` in slot `slot`; `number` counts pulses from t = 0.
struct PulseName {
  std::uint64_t number = 0;
  std::uint64_t slot = 0;
  std::size_t bank = 0;
  std::size_t laser = 0;
};

struct AimedPulse {
  PulseFrame reported;
  PulseAxes axes;  // of its rays, pointing error included
};

// `seed` is that of pointing errors. A pure function; any thread.
AimedPulse aimedPulse(const SensorRecipe& sensor, const Trajectory& trajectory, std::uint64_t seed,
                      const PulseName& pulse, Vec3d sceneOriginM = {});

// Only what the sensor reports.
PulseFrame reportedPulse(const SensorRecipe& sensor, const Trajectory& trajectory,
                         const PulseName& pulse);

}  // namespace understory
