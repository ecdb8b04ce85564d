// The mapping of one tick of a drive: how the vehicle registers its returns, and the cost map that they go into.
// Nothing of it is truth: poses are estimates, and returns come as the columns that a sensor reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "contract/mapRequest.h"

namespace understory {

// A cell of the ground whose height is known.
struct GroundCell {
  std::uint32_t cell = 0;
  float heightM = 0.0F;  // in the world
  float fromM = 0.0F;    // distance from which it was learned
};

struct TickMapping {
  TickMap map;
  std::vector<double> matrices;  // 12 a sample: rows of the 3 x 4 matrix worldFromSensor
  std::vector<double> places;    // 4 a sample: x, y, cos and sin of the heading of the vehicle
  // The whole ground after TickMap::afterTick, where the host restores it.
  bool restoresGround = false;
  std::vector<GroundCell> ground;
};

// Cells of the square map, row by row from the south-west corner.
inline std::size_t cellsOf(const TickMap& map) {
  return static_cast<std::size_t>(map.cells) * static_cast<std::size_t>(map.cells);
}

}  // namespace understory
