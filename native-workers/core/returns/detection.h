// Detection by a receiver (PHYSICS.md, 1.3): a limit as a data sheet states it, receiver noise, false alarms.
//
// Echoes are detected (echoes.h). S of an echo is the sum of the S of its hits, so that the number of rays does not
// matter.
//   S0 = reflectance / range^2, the limit's own signal
//   k = -Phi^-1(falseAlarmsPerPulse / n), n the range cells between the limits
//   sigma = S0 / (k + Phi^-1(probability)), threshold = k sigma
//   P = Phi((S - threshold) / sigma)
// An echo is seen where S + sigma z >= threshold with its own normal number z. With detectionFalloff p an S at range R
// counts S (range / R)^p: a data sheet's second, farther and brighter target is at the limit, too.
// Keys of random numbers (core/random/philox.h, pulseBlock), always with the seed and the sensor's stream:
//   detection   pulse: the pulse, number: the echo, from 0 by range
#pragma once

#include <cstddef>
#include <cstdint>

#include "contract/sensorRecipe.h"
#include "core/sensor/receiver.h"

namespace understory {

class Detector {
 public:
  // Throws UnderstoryError 'bad-input' where the limit has no meaning (see checkDetection).
  Detector(const SensorRecipe& sensor, std::uint64_t seed);

  // Whether anything can be lost.
  bool isActive() const { return sigma_ > 0.0 || minSignal_ > 0.0; }
  // Whether the limit has noise: `detection` in the sensor.
  bool hasNoise() const { return sigma_ > 0.0; }
  // The receiver's noise and its threshold, in 1/m^2, of signals as they count; 0 without `detection`.
  double sigma() const { return sigma_; }
  double threshold() const { return threshold_; }
  // S0: the signal of the limit's target; 0 without `detection`.
  double limitSignal() const { return limitSignal_; }
  // Factor by which a signal at a range counts.
  double gainAt(double rangeM) const;
  // Whether an echo is seen up to that range, whatever is drawn; false where that is not known without its gain.
  bool isSure(double signal, double rangeM) const {
    return signal >= (rangeM <= limitRangeM_ ? sureWithinLimit_ : sureSignal_);
  }
  // Least signal outright (`detectionThreshold`).
  double minSignal() const { return minSignal_; }

  // Probability of detection of an echo with this signal.
  double probability(double signal, double rangeM) const;
  bool isSeen(double signal, double rangeM, std::uint64_t pulse, std::size_t echo) const;

 private:
  double limitSignal_ = 0.0;
  double sigma_ = 0.0;
  double threshold_ = 0.0;
  double minSignal_ = 0.0;
  double sureSignal_ = 0.0;       // at any range
  double sureWithinLimit_ = 0.0;  // up to the limit's
  double falloff_ = 0.0;
  double limitRangeM_ = 1.0;
  std::uint32_t stream_ = 0;
  std::uint64_t seed_ = 0;
};

}  // namespace understory
