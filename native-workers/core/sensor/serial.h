// Properties of one unit of a sensor, its serial number: per-laser biases of ranges, dead lasers, errors of its mount
// (PHYSICS.md, 1.8). Equal for every seed of a scenario.
// Keys of random numbers: pulseBlock(serialKey, purpose, 0, pulse, number); laserBias and deadLaser: pulse the ring,
// number 0; mount: pulse 0 for x and y of the position, 1 for its z and the turn about x, 2 for those about y and z.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "contract/sensorRecipe.h"
#include "core/sensor/trajectory.h"

namespace understory {

// The key of a serial number: FNV-1a, 64 bits, of its bytes.
std::uint64_t serialKey(std::string_view serial);

// Range offsets of the lasers, metres, by ring: the offset of the file and the drawn bias. Empty where all are
// 0. A pure function.
std::vector<double> laserBiasesM(const SensorRecipe& sensor);

// By ring: 1 where the laser returns nothing. Empty where all work. A pure function.
std::vector<std::uint8_t> deadLasers(const SensorRecipe& sensor);

// The true mount relative to the nominal one, and whether it differs.
bool hasMountError(const SensorRecipe& sensor);
Pose mountError(const SensorRecipe& sensor);

}  // namespace understory
