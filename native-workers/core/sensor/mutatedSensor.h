// Those mutations that are only another recipe.
#pragma once

#include <limits>

#include "contract/sensorRecipe.h"
#include "core/mutation.h"

namespace understory {

// The sensor itself but with Mutation::strongestIsClosest or cutoffIgnored.
inline SensorRecipe mutated(SensorRecipe sensor) {
  if (activeMutation() == Mutation::strongestIsClosest &&
      sensor.returns.mode == ReturnMode::strongest) {
    sensor.returns.mode = ReturnMode::closest;
  }
  if (activeMutation() == Mutation::cutoffIgnored) {
    sensor.returns.signalCutoffM = std::numeric_limits<double>::infinity();
  }
  return sensor;
}

}  // namespace understory
