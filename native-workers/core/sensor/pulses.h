// When and where each pulse goes. Slot k fires at k / slotsPerSecond the block slotPattern[k mod n];
// pulses are numbered without gaps from t = 0, slot by slot, in the order of the block's lasers.
// Everything is a pure function of the absolute slot number.
#pragma once

#include <cstdint>
#include <vector>

#include "core/sensor/sensorRecipe.h"

namespace understory {

// The numbering of a sensor, worked out once.
struct PulseNumbering {
  std::vector<std::uint64_t> pulsesBefore;  // by slot of the pattern, and the pattern's sum at the end
};

PulseNumbering pulseNumbering(const SensorRecipe& sensor);

// Number of the first pulse of a slot.
std::uint64_t firstPulseOfSlot(const PulseNumbering& numbering, std::uint64_t slot);

// Index of the block whose lasers fire in a slot.
std::uint32_t blockOfSlot(const SensorRecipe& sensor, std::uint64_t slot);

// Simulated time of a slot, rounded to the nearest nanosecond.
std::int64_t slotTimeNs(const SensorRecipe& sensor, std::uint64_t slot);

// The stamp of the sensor's own clock at a simulated time.
std::int64_t stampNs(const SensorRecipe& sensor, std::int64_t timeNs);

// Azimuth of a slot, counter-clockwise from x. Spinning: 2 pi rateHz t, in [0, 2 pi): Goodin 2018,
// eqs. 6 and 7, in time (revolutions need not hold a whole number of slots). Sweep: linear from the
// least to the greatest azimuth, both included.
double slotAzimuthRad(const SensorRecipe& sensor, std::uint64_t slot);

// The first slot that fires at or after a time; 0 for times before t = 0.
std::uint64_t firstSlotFrom(const SensorRecipe& sensor, std::int64_t timeNs);

}  // namespace understory
