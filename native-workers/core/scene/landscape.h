// A landscape: a plain grid of squares, each of which has the plants of one of a few tiles. Every plant has its foot on
// the ground, is turned as in its tile, whatever the slope, and has a number and an id of its own. Plants of squares are
// not stored: their positions follow from their numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/maths/maths.h"

namespace understory {

// Height of the ground's surface at a place.
using GroundHeight = std::function<double(double xM, double yM)>;

// A plant of a tile. Its place is relative to the south-west corner, its height to the ground there.
struct TilePlant {
  std::uint16_t model = 0;
  std::uint16_t classId = 0;
  Vec3d positionM;
  Quatd rotation;  // worldFromModel
  double scale = 1.0;
};

// A square without plants.
inline constexpr std::uint16_t noTile = 0xFFFF;

// The number of a square and that of a plant of its tile.
struct PlantIndices {
  std::uint32_t square = 0;
  std::uint32_t plant = 0;
};

struct Landscape {
  std::string name;
  double westM = 0.0;
  double southM = 0.0;
  double sideM = 1.0;         // of a square
  std::uint32_t columns = 0;  // squares in x
  std::uint32_t rows = 0;     // squares in y
  // Ids, and numbers among all instances of the scene, that each square takes: at least the plants of any tile.
  std::uint32_t plantsPerSquare = 0;
  std::uint32_t firstId = 1;
  std::uint32_t firstNumber = 0;
  std::vector<std::vector<TilePlant>> tiles;
  std::vector<std::uint16_t> tileOf;  // by square, row by row from the south-west; noTile: none
  // By square: for each plant whether it is left out, at the edge and in exclusion zones; empty: none is.
  std::vector<std::vector<bool>> leftOut;
  Boundsf bounds;  // of all its plants, in the scene

  std::uint32_t squares() const { return columns * rows; }
  std::uint64_t numbers() const { return std::uint64_t{squares()} * plantsPerSquare; }
  double westOf(std::uint32_t square) const { return westM + sideM * (square % columns); }
  double southOf(std::uint32_t square) const {
    return southM + sideM * static_cast<double>(square / columns);
  }
  // The plant with a number from firstNumber on.
  PlantIndices placeOf(std::uint32_t number) const {
    const std::uint32_t own = number - firstNumber;
    return {own / plantsPerSquare, own % plantsPerSquare};
  }
  std::uint32_t numberOf(PlantIndices place) const {
    return firstNumber + place.square * plantsPerSquare + place.plant;
  }
  std::uint32_t idOf(std::uint32_t number) const { return firstId + (number - firstNumber); }
  // Plants of its tile; empty without one.
  const std::vector<TilePlant>& plantsOf(std::uint32_t square) const;
  bool isLeftOut(PlantIndices place) const {
    const std::vector<bool>& own = leftOut[place.square];
    return !own.empty() && own[place.plant];
  }
  const TilePlant& plantAt(PlantIndices place) const {
    return tiles[tileOf[place.square]][place.plant];
  }
  // The position of its foot, in the scene.
  Vec3d positionOf(PlantIndices place, const GroundHeight& groundHeightM) const;
  // Calls `use(place)` for each plant that is not left out.
  template <typename Use>
  void forEachPlantOf(std::uint32_t square, const Use& use) const {
    const auto count = static_cast<std::uint32_t>(plantsOf(square).size());
    for (std::uint32_t plant = 0; plant < count; ++plant) {
      if (!isLeftOut({square, plant})) use(PlantIndices{square, plant});
    }
  }
  // Calls `use(square)` for each that lies in a box, whatever its heights are.
  template <typename Use>
  void forEachSquareIn(Vec3d fromM, Vec3d toM, const Use& use) const {
    const auto cell = [&](double offsetM, std::uint32_t count) {
      return static_cast<std::uint32_t>(
          std::clamp(std::floor(offsetM / sideM), 0.0, static_cast<double>(count - 1)));
    };
    if (toM.x < westM || toM.y < southM || fromM.x > westM + sideM * columns ||
        fromM.y > southM + sideM * rows) {
      return;
    }
    const std::uint32_t lastRow = cell(toM.y - southM, rows);
    const std::uint32_t lastColumn = cell(toM.x - westM, columns);
    for (std::uint32_t row = cell(fromM.y - southM, rows); row <= lastRow; ++row) {
      for (std::uint32_t column = cell(fromM.x - westM, columns); column <= lastColumn; ++column) {
        use(row * columns + column);
      }
    }
  }
  // Plants of each model, those left out not among them.
  std::vector<std::uint64_t> plantsByModel(std::size_t models) const;
};

}  // namespace understory
