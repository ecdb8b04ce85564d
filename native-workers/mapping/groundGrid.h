// Where the ground lies, learned from the returns of a drive: a coarse grid of low returns over the plane under the
// wheels, without what is too steep for ground. For a sensor that never sees the ground (a level planar scanner) that
// plane is all there is.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "mapping/lowestReturns.h"
#include "mapping/tickMapping.h"

namespace understory {

// Cells of the ground over the area of a map.
class GroundLayout {
 public:
  explicit GroundLayout(const TickMap& map);

  std::size_t size() const { return size_; }  // cells a side
  // Nothing outside.
  std::optional<std::size_t> cellAt(double xM, double yM) const;
  double centreXM(std::size_t cell) const;
  double centreYM(std::size_t cell) const;

 private:
  std::size_t size_;
  double originXM_;
  double originYM_;
};

std::size_t groundCellsOf(const TickMap& map);

// Height of a point over the plane on which the wheels stand.
double overPlaneM(const WheelPlane& plane, double xM, double yM, double zM);

class GroundGrid {
 public:
  // Nothing is known.
  explicit GroundGrid(const TickMap& map);
  // Throws UnderstoryError 'bad-input' for a cell outside.
  GroundGrid(const TickMap& map, std::span<const GroundCell> known);

  std::size_t cells() const { return heightM_.size(); }

  // Learns from the returns of one tick, given the plane under the wheels in it. Returns the cells that it changed.
  std::vector<GroundCell> learn(const LowestReturns& lowest, const WheelPlane& plane);

  // Height of the ground over the plane that was given last, at x, y relative to the map's corner: bilinear between
  // centres of cells; 0 where nothing is known.
  double overPlaneM(double xM, double yM) const;

 private:
  bool isKnown(std::size_t cell) const;
  bool settle(const LowestReturns& lowest, const WheelPlane& plane, std::size_t cell);
  void smoothOver(const WheelPlane& plane);

  GroundLayout layout_;
  std::vector<float> heightM_;  // in the world
  std::vector<float> fromM_;    // distance from which it was learned; infinity: it is not known
  std::vector<float> smoothM_;  // over the plane
};

}  // namespace understory
