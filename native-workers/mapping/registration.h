// Returns brought into the world: every pulse by the pose that the estimator gives for its own time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mapping/lowestReturns.h"
#include "mapping/tickMapping.h"

namespace understory {

// Columns of returns as the sensor reports them; of `count` rows, unaligned.
struct SensorRows {
  std::size_t count = 0;
  const std::byte* timeNs = nullptr;  // i64
  const std::byte* xM = nullptr;      // f32, in the sensor's frame; NaN: no echo
  const std::byte* yM = nullptr;
  const std::byte* zM = nullptr;
};

// In the world.
struct MapPoint {
  double xM = 0.0;
  double yM = 0.0;
  double zM = 0.0;
  float rangeM = 0.0F;
};

// Returns of a tick that one thread has registered.
struct RegisteredReturns {
  std::vector<MapPoint> points;
  LowestReturns lowest;  // without cells where no sensor sees the ground
};

RegisteredReturns noReturns(const TickMap& map);

// Appends the echoes. Rows without one and returns from the vehicle itself are left out.
void registerReturns(const TickMapping& mapping, const SensorRows& rows, RegisteredReturns& out);

}  // namespace understory
