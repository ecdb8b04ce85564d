// The pulses of a time interval: their slots, and the slot batches that hold them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "contract/sensorRecipe.h"
#include "core/sensor/pulses.h"

namespace understory {

// Slots of a batch, aligned to the absolute slot number. Why 64: a laser that fires in every fourth slot
// still fills whole groups of 16 pulses, which are 144 rays: nine packets of 16, eighteen of 8.
inline constexpr std::uint64_t slotsPerBatch = 64;

// Slots [from, to) of a batch.
struct SlotRange {
  std::size_t from = 0;
  std::size_t to = slotsPerBatch;
};

// fromNs <= time < toNs, and nothing before t = 0.
struct TimeInterval {
  std::int64_t fromNs = 0;
  std::int64_t toNs = 0;
};

class PulseInterval {
 public:
  PulseInterval(const SensorRecipe& sensor, const PulseNumbering& numbering, TimeInterval time)
      : fromSlot_(firstSlotFrom(sensor, time.fromNs)),
        toSlot_(std::max(fromSlot_, firstSlotFrom(sensor, time.toNs))),
        firstPulse_(firstPulseOfSlot(numbering, fromSlot_)),
        pulses_(firstPulseOfSlot(numbering, toSlot_) - firstPulse_) {}

  // The number of the first pulse that fires at or after its start.
  std::uint64_t firstPulse() const { return firstPulse_; }
  std::uint64_t pulses() const { return pulses_; }
  // How many batches hold them.
  std::uint64_t batches() const {
    const std::uint64_t end = (toSlot_ + slotsPerBatch - 1) / slotsPerBatch;
    return toSlot_ > fromSlot_ ? end - batch(0) : 0;
  }
  // The number of the batch at `index`, from 0, and its slots that belong to the interval.
  std::uint64_t batch(std::uint64_t index) const { return fromSlot_ / slotsPerBatch + index; }
  SlotRange rangeOf(std::uint64_t index) const {
    const std::uint64_t start = batch(index) * slotsPerBatch;
    return {std::max(start, fromSlot_) - start, std::min(start + slotsPerBatch, toSlot_) - start};
  }

 private:
  std::uint64_t fromSlot_;
  std::uint64_t toSlot_;
  std::uint64_t firstPulse_;
  std::uint64_t pulses_;
};

}  // namespace understory
