// What a sensor makes of clean returns: lost ones, noise of ranges, folding, rounding (core/returns/noise.h), on
// whole blocks, whichever tracer filled them. Pulses that met nothing yield nothing, noise or not.
#pragma once

#include <cstdint>

#include "core/returns/noise.h"
#include "core/sensor/pulses.h"
#include "core/sensor/sensorRecipe.h"
#include "aim/rayGroups.h"
#include "pulses/tracedBlock.h"

namespace understory {

class Reporting {
 public:
  // `sensor` outlives it.
  Reporting(const SensorRecipe& sensor, std::uint64_t seed);

  // Turns the clean ranges of the slots `range` of block `block` into what is reported: cleanRangeM folded,
  // reported.rangeM with everything; lost returns close up. Does nothing for a sensor without noise. A pure
  // function of each pulse; several threads may call at once.
  void apply(std::uint64_t block, SlotRange range, TracedBlock& traced) const {
    if (isNeeded_) work(block, range, traced);
  }

 private:
  void work(std::uint64_t block, SlotRange range, TracedBlock& traced) const;
  void reportPulse(CleanReturn clean, std::size_t place, TracedBlock& traced) const;
  void invent(std::uint64_t pulse, std::size_t place, TracedBlock& traced) const;

  const SensorRecipe& sensor_;
  std::uint64_t seed_ = 0;
  PulseNumbering numbering_;
  RangeNoise noise_;
  bool inventsReturns_ = false;  // Mutation::noiseOnEmptyPulses
  bool isNeeded_ = false;
};

}  // namespace understory
