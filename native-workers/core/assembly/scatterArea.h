// Where a scatter may place things: inside a polygon (even-odd rule), outside discs kept clear.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "contract/sceneRecipe.h"
#include "core/maths/maths.h"

namespace understory {

class ScatterArea {
 public:
  ScatterArea(std::vector<std::array<double, 2>> polygonM, std::vector<KeepClear> discs);

  bool contains(double xM, double yM) const;
  // Whether a border, of the polygon or of a disc, may lie in a box; otherwise all of the box is inside or none.
  bool mayDivide(Vec2d fromM, Vec2d toM) const;

  double minX = 0.0;
  double minY = 0.0;
  double maxX = 0.0;
  double maxY = 0.0;

 private:
  static constexpr std::size_t side_ = 64;

  std::size_t cellOf(double share) const;
  bool isInPolygon(double xM, double yM) const;

  std::vector<std::array<double, 2>> polygon_;
  std::vector<KeepClear> discs_;
  std::vector<std::vector<std::uint32_t>>
      discsOfCell_;  // side_ x side_ over the box of the polygon
};

}  // namespace understory
