// The range limits of a sensor in single precision, as rays have them.
#pragma once

#include "contract/sensorRecipe.h"

namespace understory {

struct RangeLimits {
  float minM;
  float maxM;
};

inline RangeLimits rangeLimits(const SensorRecipe& sensor) {
  return {static_cast<float>(sensor.minRangeM), static_cast<float>(sensor.maxRangeM)};
}

}  // namespace understory
