// When and where each slot fires. Slot k fires at clock.phaseNs + k / slotsPerSecond (of a scan with an active share
// within that part of its time; a panorama's: panorama.h) the bank slotPattern[k mod n];
// pulses are numbered without gaps from slot 0, slot by slot, in the order of the bank's lasers. A pulse belongs
// to the time of its slot, a laser's firing offset notwithstanding: intervals cut between slots.
// Everything is a pure function of the absolute slot number. Aims of single pulses: aim.h.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "contract/sensorRecipe.h"

namespace understory {

// The numbering of a sensor, worked out once.
struct PulseNumbering {
  std::vector<std::uint64_t>
      pulsesBefore;  // by slot of the pattern, and the pattern's sum at the end
};

PulseNumbering pulseNumbering(const SensorRecipe& sensor);

// Number of the first pulse of a slot.
std::uint64_t firstPulseOfSlot(const PulseNumbering& numbering, std::uint64_t slot);

// Index of the bank whose lasers fire in a slot.
std::uint32_t bankOfSlot(const SensorRecipe& sensor, std::uint64_t slot);

// Simulated time of a slot, rounded to the nearest nanosecond; for an image that of its first slot.
std::int64_t slotTimeNs(const SensorRecipe& sensor, std::uint64_t slot);

// The stamp of the sensor's own clock at a simulated time.
std::int64_t stampNs(const SensorRecipe& sensor, std::int64_t timeNs);

// Azimuth of a slot, counter-clockwise from x. Spinning: 2 pi rateHz (t - phase), in [0, 2 pi): Goodin 2018,
// eqs. 6 and 7, in time (revolutions need not hold a whole number of slots); clockwise heads: the same, less than a
// turn by it. Sweep: linear from the
// least to the greatest azimuth, both included. Mirror: its angle, likewise. Image: of the column's middle
// in a pinhole image of square pixels, columns from left to right, that is from the greatest azimuth down.
// Panorama: of the head.
double slotAzimuthRad(const SensorRecipe& sensor, std::uint64_t slot);

// All of a slot at once: its time and azimuth as above, and the elevation of a panorama's slot, which other sensors have
// of their lasers.
struct SlotAim {
  std::int64_t timeNs = 0;
  double azimuthRad = 0.0;
  std::optional<double> elevationRad{};
};
SlotAim slotAim(const SensorRecipe& sensor, std::uint64_t slot);

// The first slot that fires at or after a time; 0 for times before the first.
std::uint64_t firstSlotFrom(const SensorRecipe& sensor, std::int64_t timeNs);

}  // namespace understory
