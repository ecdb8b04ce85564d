// Blocks in parts that a thread can hold at a time, for visits that keep something of every ray.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/sensor/sensorRecipe.h"
#include "aim/beamRays.h"

namespace understory {

// Slots of a block that are traced together.
struct BlockPart {
  std::uint64_t block = 0;
  SlotRange range;  // may be empty
};

// The parts of all blocks that hold an interval, in order. All blocks are cut alike.
class BlockParts {
 public:
  BlockParts(BlockSpan blocks, const SensorRecipe& sensor, std::size_t raysOfPulse)
      : blocks_(blocks),
        slotsPerPart_(std::clamp(mostRays / (mostLasers(sensor) * raysOfPulse), std::size_t{1},
                                 std::size_t{slotsPerBlock})),
        partsPerBlock_((slotsPerBlock + slotsPerPart_ - 1) / slotsPerPart_) {}

  std::uint64_t count() const { return blocks_.count * partsPerBlock_; }

  BlockPart at(std::uint64_t number) const {
    const std::uint64_t index = number / partsPerBlock_;
    const std::size_t firstSlot = number % partsPerBlock_ * slotsPerPart_;
    const SlotRange wanted = blocks_.rangeOf(index);
    const std::size_t from = std::max(wanted.from, firstSlot);
    const std::size_t to = std::min(wanted.to, firstSlot + slotsPerPart_);
    return {blocks_.first + index, {from, std::max(from, to)}};
  }

 private:
  static constexpr std::size_t mostRays = std::size_t{1} << 17U;  // but no less than a slot's

  static std::size_t mostLasers(const SensorRecipe& sensor) {
    std::size_t most = 1;
    for (const LaserBlock& block : sensor.blocks) most = std::max(most, block.rings.size());
    return most;
  }

  BlockSpan blocks_;
  std::size_t slotsPerPart_;
  std::size_t partsPerBlock_;
};

}  // namespace understory
