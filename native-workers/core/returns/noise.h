// The noise of a real sensor on clean ranges and intensities (PHYSICS.md, 1.8): errors of each laser, of each return,
// lost returns, folded and rounded ranges, saturated intensities. Every number is a pure function of what it is for.
//
// Standard deviation of a return's range (m), parts that are independent of each other in quadrature:
//   s^2 = sigma0^2 + (sigmaA sin(theta)/cos^2(theta))^2 + (sigmaR R)^2 + sigmaI^2 / I + sigmaL^2 S0 / S
// sigma0 rangeSigmaM; sigmaA incidenceSigmaM (Deschaud 2012); sigmaR rangeSigmaPerM, R the clean range; sigmaI
// signalSigmaM, I the intensity; sigmaL limitSigmaM, S the signal as it counts (Detector::gainAt), S0 that of the
// detection limit. Three parts grow without bound: incidence counts as at most 84.3 degrees (cos 0.1: 99.5 sigmaA),
// intensity as at least 1e-6 (1000 sigmaI), S as at least a hundredth of S0 (10 sigmaL).
//
// Keys of random numbers (core/random/philox.h, pulseBlock), always with the seed and the sensor's stream:
//   laserBias   core/sensor/serial.h: the serial number, not the seed
//   rangeNoise  pulse: the pulse, number: the return
//   dropOut     likewise
//   intensityNoise likewise
//   learnedRange likewise: on learned surfaces, in place of rangeNoise (core/learned/learnedDraws.h)
//   pointing    pulse: the pulse, number 0; left is the first normal number of the block, up the second
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "contract/sensorRecipe.h"
#include "core/optics/air.h"
#include "core/returns/detection.h"

namespace understory {

struct CleanReturn {
  std::uint64_t pulse = 0;  // absolute
  std::uint16_t ring = 0;   // the laser
  std::uint8_t returnNo = 0;
  float rangeM = 0.0F;  // not folded
  float intensity = 0.0F;
  float beamShare = 1.0F;
  float cosIncidence = 1.0F;
  // For learned models, whose logs hold the errors of a sensor: the standard deviation of their own ranges. Then the
  // sensor's biases, range noise and lost returns do not count.
  std::optional<double> learnedSigmaM{};
};

class RangeNoise {
 public:
  // `air`: what it leaves is in signals.
  RangeNoise(const SensorRecipe& sensor, std::uint64_t seed, const Air& air = {});

  // Whether what is reported can differ from what is clean, or returns be lost.
  bool isActive() const { return isActive_; }
  bool isLost(const CleanReturn& clean) const;
  // Folded as the sensor would, without noise and rounding: what range_clean_m holds.
  float folded(float rangeM) const;
  // Bias and noise, then folding, then rounding. nullopt: with its errors it lies outside the range limits, or folding
  // brings it there. Otherwise within them after rounding, too.
  std::optional<float> reported(const CleanReturn& clean) const;
  // A range as it is folded and rounded without noise. nullopt: it is folded to below the range limits.
  std::optional<float> stepped(double rangeM) const;
  // The intensity on its scale, with its noise, up to its saturation, in its steps. Never below 0.
  float reportedIntensity(const CleanReturn& clean) const;
  // The per-laser bias.
  double laserBiasM(std::uint16_t ring) const;
  // Standard deviation of a return's range around the per-laser bias.
  double sigmaM(const CleanReturn& clean) const;

 private:
  double signal(const CleanReturn& clean) const;
  double errorM(const CleanReturn& clean) const;
  double foldedM(double rangeM) const;

  NoiseRecipe noise_;
  IntensityRecipe intensity_;
  double minRangeM_ = 0.0;
  double maxRangeM_ = 0.0;
  double backfoldM_ = 0.0;
  double rangeStepM_ = 0.0;
  Air air_;
  Detector detector_;
  bool isRelative_ = true;
  std::uint32_t stream_ = 0;
  std::uint64_t seed_ = 0;
  std::vector<double> biasOfRingM_;  // empty without
  bool hasRangeNoise_ = false;
  bool hasOneSigma_ = false;  // whatever a return is like
  bool hasIntensityErrors_ = false;
  bool isActive_ = false;
};

// Pointing error of a pulse, towards left and up. (0, 0) without.
struct PointingError {
  double leftRad = 0.0;
  double upRad = 0.0;
};
PointingError pointingError(const SensorRecipe& sensor, std::uint64_t seed, std::uint64_t pulse);

}  // namespace understory
