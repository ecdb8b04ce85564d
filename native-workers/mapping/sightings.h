// The costs of one tick: for each cell of the map the highest cost of its returns by Goodin 2018, eq. 8.
// Guarantee: independent of the order of returns and of how threads share them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mapping/groundGrid.h"
#include "mapping/registration.h"

namespace understory {

// Cells that were seen, in order of their index; a row each.
struct Sightings {
  std::vector<std::uint32_t> cell;
  std::vector<std::uint8_t> cost;      // of heights over the ground, 0 to 100
  std::vector<std::uint8_t> sureCost;  // of heights less the margin of the tilt
  // With clearing: the highest cost of the returns that may clear the cell; 255: there are none. Otherwise empty.
  std::vector<std::uint8_t> lowCost;
};

// The costs that the host has of each cell, one more than the highest; 0: none.
struct SentCosts {
  std::vector<std::uint8_t> cost;
  std::vector<std::uint8_t> sureCost;
};

class SightedCells {
 public:
  explicit SightedCells(const TickMap& map);

  // Many threads may call it at once. `ground`: null where no sensor sees it.
  void add(std::span<const MapPoint> points, const GroundGrid* ground);
  // Without cells that say nothing beyond `sent` (TickMap::repeatFromCost), to which it adds.
  Sightings sightings(SentCosts& sent) const;

 private:
  TickMap map_;
  // One more than the costs; 0: none.
  std::vector<std::uint8_t> cost_;
  std::vector<std::uint8_t> sureCost_;
  std::vector<std::uint8_t> lowCost_;
};

}  // namespace understory
