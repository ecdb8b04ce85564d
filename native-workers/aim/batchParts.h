// Slot batches in parts that a thread can hold at a time, for visitors that store something of every ray.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "aim/interval.h"
#include "contract/sensorRecipe.h"

namespace understory {

// Slots of a batch that are traced together.
struct BatchPart {
  std::uint64_t batch = 0;
  SlotRange range;  // may be empty
};

// The parts of all batches that hold an interval, in order. All batches are cut alike.
class BatchParts {
 public:
  BatchParts(const PulseInterval& interval, const SensorRecipe& sensor, std::size_t raysOfPulse)
      : interval_(interval),
        slotsPerPart_(std::clamp(maxRays / (maxLasers(sensor) * raysOfPulse), std::size_t{1},
                                 std::size_t{slotsPerBatch})),
        partsPerBatch_((slotsPerBatch + slotsPerPart_ - 1) / slotsPerPart_) {}

  std::uint64_t count() const { return interval_.batches() * partsPerBatch_; }

  BatchPart at(std::uint64_t number) const {
    const std::uint64_t index = number / partsPerBatch_;
    const std::size_t firstSlot = number % partsPerBatch_ * slotsPerPart_;
    const SlotRange wanted = interval_.rangeOf(index);
    const std::size_t from = std::max(wanted.from, firstSlot);
    const std::size_t to = std::min(wanted.to, firstSlot + slotsPerPart_);
    return {interval_.batch(index), {from, std::max(from, to)}};
  }

 private:
  static constexpr std::size_t maxRays = std::size_t{1} << 17U;  // but no fewer than one slot has

  static std::size_t maxLasers(const SensorRecipe& sensor) {
    std::size_t max = 1;
    for (const LaserBank& bank : sensor.banks) max = std::max(max, bank.rings.size());
    return max;
  }

  PulseInterval interval_;
  std::size_t slotsPerPart_;
  std::size_t partsPerBatch_;
};

}  // namespace understory
