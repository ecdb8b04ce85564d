// Pulse numbers, times and azimuths.
#include "core/sensor/pulses.h"

#include <algorithm>
#include <cmath>

#include "core/maths/maths.h"

namespace understory {
namespace {

// Azimuth of the middle of a column of square pixels, the first on the left.
double columnAzimuthRad(const SensorRecipe& sensor, std::uint64_t column) {
  const auto columns = static_cast<double>(sensor.scan.slotsPerScan);
  const double pixel = 2.0 * std::tan(0.5 * sensor.scan.horizontalFovRad) / columns;
  return std::atan((0.5 * (columns - 1.0) - static_cast<double>(column)) * pixel);
}

}  // namespace

PulseNumbering pulseNumbering(const SensorRecipe& sensor) {
  PulseNumbering numbering{{0}};
  for (const std::uint32_t bank : sensor.slotPattern) {
    numbering.pulsesBefore.push_back(numbering.pulsesBefore.back() +
                                     sensor.banks[bank].elevationsRad.size());
  }
  return numbering;
}

std::uint64_t firstPulseOfSlot(const PulseNumbering& numbering, std::uint64_t slot) {
  const std::uint64_t patternSlots = numbering.pulsesBefore.size() - 1;
  if (patternSlots == 1) return slot * numbering.pulsesBefore.back();
  return slot / patternSlots * numbering.pulsesBefore.back() +
         numbering.pulsesBefore[slot % patternSlots];
}

std::uint32_t bankOfSlot(const SensorRecipe& sensor, std::uint64_t slot) {
  const std::size_t patternSlots = sensor.slotPattern.size();
  return sensor.slotPattern[patternSlots == 1 ? 0 : slot % patternSlots];
}

std::int64_t slotTimeNs(const SensorRecipe& sensor, std::uint64_t slot) {
  if (sensor.scan.panorama) return slotAim(sensor, slot).timeNs;
  // All columns of an image have the time of its first.
  if (sensor.scan.isInstant) slot -= slot % sensor.scan.slotsPerScan;
  if (sensor.scan.activeShare < 1.0) {
    const auto scan = static_cast<double>(slot / sensor.scan.slotsPerScan);
    const auto within = static_cast<double>(slot % sensor.scan.slotsPerScan);
    const double scans =
        scan + sensor.scan.activeShare * within / static_cast<double>(sensor.scan.slotsPerScan);
    return sensor.clock.phaseNs + std::llround(scans / sensor.scan.rateHz * 1e9);
  }
  return sensor.clock.phaseNs +
         std::llround(static_cast<double>(slot) / sensor.slotsPerSecond * 1e9);
}

std::int64_t stampNs(const SensorRecipe& sensor, std::int64_t timeNs) {
  const double drifted = static_cast<double>(timeNs) * sensor.clock.driftPpm * 1e-6;
  return timeNs + std::llround(drifted) + sensor.clock.offsetNs;
}

double slotAzimuthRad(const SensorRecipe& sensor, std::uint64_t slot) {
  if (sensor.scan.isTurning) {
    // Why fmod: it is exact, so the azimuth keeps all its digits after hours of turning.
    const double turns =
        std::fmod(static_cast<double>(slot) * sensor.scan.rateHz, sensor.slotsPerSecond) /
        sensor.slotsPerSecond;
    if (!sensor.scan.isClockwise) return 2.0 * piRad * turns;
    // Why the comparison: next to nothing of a turn leaves the whole turn, which is azimuth 0.
    const double azimuthRad = 2.0 * piRad * (1.0 - turns);
    return azimuthRad < 2.0 * piRad ? azimuthRad : 0.0;
  }
  if (sensor.scan.panorama) return slotAim(sensor, slot).azimuthRad;
  if (sensor.scan.isInstant) return columnAzimuthRad(sensor, slot % sensor.scan.slotsPerScan);
  if (sensor.scan.slotsPerScan < 2) return sensor.scan.minAzimuthRad;
  const double share = static_cast<double>(slot % sensor.scan.slotsPerScan) /
                       static_cast<double>(sensor.scan.slotsPerScan - 1);
  return sensor.scan.minAzimuthRad +
         (sensor.scan.maxAzimuthRad - sensor.scan.minAzimuthRad) * share;
}

SlotAim slotAim(const SensorRecipe& sensor, std::uint64_t slot) {
  if (!sensor.scan.panorama) return {slotTimeNs(sensor, slot), slotAzimuthRad(sensor, slot), {}};
  const PanoramaAim aim = panoramaAim(*sensor.scan.panorama, slot);
  return {sensor.clock.phaseNs + std::llround(aim.seconds * 1e9), aim.headRad, aim.elevationRad};
}

std::uint64_t firstSlotFrom(const SensorRecipe& sensor, std::int64_t timeNs) {
  const std::uint64_t first = sensor.scan.panorama ? sensor.scan.panorama->firstSlot : 0;
  if (timeNs <= sensor.clock.phaseNs) return first;
  const double seconds = static_cast<double>(timeNs - sensor.clock.phaseNs) * 1e-9;
  // Why two slots back: the guess and slotTimeNs both round. Slots of an active share are no later than its guess.
  if (sensor.scan.panorama) {
    std::uint64_t slot = std::max(first + 2, panoramaSlotNear(*sensor.scan.panorama, seconds)) - 2;
    while (slotTimeNs(sensor, slot) < timeNs) ++slot;
    return slot;
  }
  const double guess = std::floor(seconds * sensor.slotsPerSecond);
  auto slot = static_cast<std::uint64_t>(std::max(0.0, guess - 2.0));
  // Whole images: all of one fires at once.
  const std::uint64_t step = sensor.scan.isInstant ? sensor.scan.slotsPerScan : 1;
  slot -= slot % step;
  while (slotTimeNs(sensor, slot) < timeNs) slot += step;
  return slot;
}

}  // namespace understory
