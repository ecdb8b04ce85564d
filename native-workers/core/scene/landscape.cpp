// Plants of landscapes by their numbers.
#include "core/scene/landscape.h"

namespace understory {

const std::vector<TilePlant>& Landscape::plantsOf(std::uint32_t square) const {
  static const std::vector<TilePlant> none;
  return tileOf[square] == noTile ? none : tiles[tileOf[square]];
}

Vec3d Landscape::positionOf(PlantIndices place, const GroundHeight& groundHeightM) const {
  const Vec3d own = plantAt(place).positionM;
  const double xM = westOf(place.square) + own.x;
  const double yM = southOf(place.square) + own.y;
  return {xM, yM, groundHeightM(xM, yM) + own.z};
}

std::vector<std::uint64_t> Landscape::plantsByModel(std::size_t models) const {
  std::vector<std::vector<std::uint64_t>> ofTiles;
  for (const std::vector<TilePlant>& tile : tiles) {
    std::vector<std::uint64_t>& counts = ofTiles.emplace_back(models, 0);
    for (const TilePlant& plant : tile) ++counts[plant.model];
  }
  std::vector<std::uint64_t> counts(models, 0);
  for (std::uint32_t square = 0; square < squares(); ++square) {
    if (tileOf[square] == noTile) continue;
    if (leftOut[square].empty()) {
      const std::vector<std::uint64_t>& ofTile = ofTiles[tileOf[square]];
      for (std::size_t model = 0; model < models; ++model) counts[model] += ofTile[model];
      continue;
    }
    forEachPlantOf(square, [&](PlantIndices place) { ++counts[plantAt(place).model]; });
  }
  return counts;
}

}  // namespace understory
