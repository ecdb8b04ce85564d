// What a real sensor adds to clean ranges (PHYSICS.md, 1.8): errors of each laser, of each return, lost
// returns, folded and rounded ranges. Every number is a pure function of what it is for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/sensor/sensorRecipe.h"

namespace understory {

struct CleanReturn {
  std::uint64_t pulse = 0;  // absolute
  std::uint16_t ring = 0;   // the laser
  std::uint8_t returnNo = 0;
  float rangeM = 0.0F;
  float intensity = 0.0F;
  float cosIncidence = 1.0F;
};

class RangeNoise {
 public:
  RangeNoise(const SensorRecipe& sensor, std::uint64_t seed);

  // Whether reported ranges can differ from clean ones, or returns be lost.
  bool isActive() const { return isActive_; }
  bool isLost(const CleanReturn& clean) const;
  // Folded as the sensor would, without noise and rounding: what range_clean_m holds.
  float folded(float rangeM) const;
  // Noise, then folding, then rounding. Never below 0.
  float reported(const CleanReturn& clean) const;
  // The constant error of a laser.
  double laserBiasM(std::uint16_t ring) const;

 private:
  SensorRecipe sensor_;
  std::uint64_t seed_ = 0;
  bool isActive_ = false;
};

// Pointing error of a pulse, towards left and up. (0, 0) without.
struct PointingError {
  double leftRad = 0.0;
  double upRad = 0.0;
};
PointingError pointingError(const SensorRecipe& sensor, std::uint64_t seed, std::uint64_t pulse);

}  // namespace understory
