// The per-laser bias of a sensor's ranges (PHYSICS.md, 1.8).
// Keys of random numbers: purpose laserBias, pulse: the ring, number 0.
#pragma once

#include <cstdint>
#include <vector>

#include "core/sensor/sensorRecipe.h"

namespace understory {

// Metres, by ring. Empty without bias. A pure function.
std::vector<double> laserBiasesM(const SensorRecipe& sensor, std::uint64_t seed);

}  // namespace understory
