// From clean returns to reported ones: losses, range noise, folding, rounding (core/returns/noise.h), on
// whole batches, whichever tracer filled them. Pulses without a hit yield nothing, noise or not.
#pragma once

#include <cstdint>

#include "aim/rayGroups.h"
#include "contract/sensorRecipe.h"
#include "core/returns/noise.h"
#include "core/sensor/pulses.h"
#include "pulses/learnedContext.h"
#include "pulses/tracedBatch.h"

namespace understory {

class Reporting {
 public:
  // Both outlive it; `learned`: null without learned models.
  Reporting(const SensorRecipe& sensor, std::uint64_t seed, const Air& air,
            const LearnedContext* learned);

  // Turns the clean ranges of the slots `range` of batch `batch` into what is reported: cleanRangeM folded,
  // reported.rangeM with everything; lost returns close up. Does nothing for a sensor without noise. A pure
  // function of each pulse; several threads may call at once.
  void apply(std::uint64_t batch, SlotRange range, TracedBatch& traced) const {
    if (isNeeded_) work(batch, range, traced);
  }

 private:
  void work(std::uint64_t batch, SlotRange range, TracedBatch& traced) const;
  void reportPulse(CleanReturn clean, std::size_t number, TracedBatch& traced) const;

  const SensorRecipe& sensor_;
  const LearnedContext* learned_;
  std::uint64_t seed_ = 0;
  PulseNumbering numbering_;
  RangeNoise noise_;
  bool isNeeded_ = false;
};

}  // namespace understory
