// Returns of the receiver's noise alone (PHYSICS.md, 1.3): a Poisson number for each pulse, its ranges uniform between
// the limits. They are rows beside the returns that a mode forms of the signal, of pulses that hit nothing, too: a mode
// chooses among echoes, and noise is none.
// A false alarm has the signal of the threshold, and so the intensity that a surface at its range would need, with the
// scale and the steps of the sensor.
//
// Pulses are independent of each other, so the alarms of a batch are a Poisson process over its pulses: gaps between
// them are exponential. Why by batch: one number for each alarm, and none for each pulse.
// Keys of random numbers: purpose falseAlarm, pulse: the batch's first, number: the alarm, from 0. Its first two words
// make the gap before it, the other two its range.
#pragma once

#include <cstdint>

#include "aim/interval.h"
#include "contract/sensorRecipe.h"
#include "core/returns/detection.h"
#include "core/returns/noise.h"
#include "pulses/tracedBatch.h"

namespace understory {

class FalseAlarms {
 public:
  FalseAlarms(const SensorRecipe& sensor, std::uint64_t seed);

  // Fills batch.falseAlarms for the slots `range`; `firstPulse`: absolute number of the batch's first pulse. Ranges are
  // folded and rounded as the sensor's are. A pure function of sensor, seed and batch.
  void draw(std::uint64_t firstPulse, SlotRange range, TracedBatch& batch) const;

 private:
  double perPulse_ = 0.0;
  double minRangeM_ = 0.0;
  double maxRangeM_ = 0.0;
  Detector detector_;
  bool isRelative_ = true;
  std::uint32_t stream_ = 0;
  std::uint64_t seed_ = 0;
  RangeNoise noise_;
};

}  // namespace understory
