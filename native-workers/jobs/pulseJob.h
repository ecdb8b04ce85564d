// Shared data of all jobs over the pulses of an interval.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "aim/interval.h"
#include "contract/sensorRecipe.h"
#include "core/scene/motions.h"
#include "core/sensor/trajectory.h"
#include "core/weather/plume.h"

namespace understory {

struct PulseJob {
  SensorRecipe sensor;
  Trajectory trajectory;
  Motions motions;          // of the scene, over the interval
  std::vector<Puff> puffs;  // of dust that wheels have raised until the interval's end
  std::uint64_t seed = 0;   // of everything random in the sensor
  TimeInterval interval;
  bool withMisses = false;
  std::size_t chunkPulses = 65536;  // max pulses in one chunk
};

}  // namespace understory
