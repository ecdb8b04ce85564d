// Which rays travel together: groups of up to 16 pulses of one laser, and the order of rays in a group.
// Guarantee: both follow from the sensor and the absolute slot numbers alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "aim/interval.h"
#include "contract/sensorRecipe.h"
#include "core/sensor/pulses.h"
#include "core/sensor/stencil.h"

namespace understory {

inline constexpr std::size_t pulsesPerGroup = 16;
inline constexpr std::size_t raysPerGroup = pulsesPerGroup * raysPerPulse;

// pulses: pulse by pulse, the rays of each in the order of the stencil. columns: pulse by pulse, the rays
// of each by azimuth in the direction in which the head turns (of a panorama: upwards), so that packets cut through a
// pulse hold neighbours.
// rays: the first ray of every pulse, then the second …
enum class RayOrder { pulses, columns, rays };

struct GroupRay {
  std::uint8_t pulse = 0;  // within the group
  std::uint8_t ray = 0;
};

// The order of rays in groups of 0 to 16 pulses; a group of n pulses has 9 n rays.
struct GroupOrders {
  std::array<std::array<GroupRay, raysPerGroup>, pulsesPerGroup + 1> rays;  // by pulses, index
  // The inverse permutation: by pulses, then pulse * raysPerPulse + ray.
  std::array<std::array<std::uint8_t, raysPerGroup>, pulsesPerGroup + 1> indices;
};
GroupOrders groupOrders(const SensorRecipe& sensor, RayOrder order);

// Up to 16 pulses of one laser, one behind the other.
struct RayGroup {
  std::span<const std::uint8_t> slots;  // of the batch
  std::size_t bank;
  std::size_t laser;
};

// Pulses [from, to) of a group.
struct PulseRange {
  std::size_t from;
  std::size_t to;
};

// The pulses of a group whose slots lie in the range: they are neighbours.
inline PulseRange pulsesIn(const RayGroup& group, SlotRange range) {
  const auto isBefore = [](std::uint8_t slot, std::size_t limit) { return slot < limit; };
  const auto from = std::lower_bound(group.slots.begin(), group.slots.end(), range.from, isBefore);
  const auto to = std::lower_bound(group.slots.begin(), group.slots.end(), range.to, isBefore);
  return {static_cast<std::size_t>(from - group.slots.begin()),
          static_cast<std::size_t>(to - group.slots.begin())};
}

// Calls visit(RayGroup) for the groups of a batch, laser by laser and along the azimuth within each.
// Why not all lasers of a slot together: packets of 16 then trace 3.24 million rays a second of processor
// time instead of 5.00 (bench.raw, HDL-64E in the courtyard, AVX-512).
template <typename Visit>
void forEachGroup(const SensorRecipe& sensor, std::uint64_t firstSlot, Visit&& visit) {
  std::array<std::uint8_t, slotsPerBatch> slots{};
  for (std::size_t bank = 0; bank < sensor.banks.size(); ++bank) {
    std::size_t firings = 0;
    for (std::size_t slot = 0; slot < slotsPerBatch; ++slot) {
      if (bankOfSlot(sensor, firstSlot + slot) == bank) {
        slots[firings++] = static_cast<std::uint8_t>(slot);
      }
    }
    for (std::size_t laser = 0; laser < sensor.banks[bank].elevationsRad.size(); ++laser) {
      for (std::size_t from = 0; from < firings; from += pulsesPerGroup) {
        const std::size_t pulses = std::min(pulsesPerGroup, firings - from);
        visit(RayGroup{{slots.data() + from, pulses}, bank, laser});
      }
    }
  }
}

}  // namespace understory
