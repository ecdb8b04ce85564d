// Scatters of tiles, exclusion zones and bounds of landscapes.
#include "core/assembly/landscapes.h"

#include <limits>
#include <string>

#include "core/assembly/scatter.h"
#include "core/assembly/scatterArea.h"
#include "core/error.h"

namespace understory {
namespace {

// Draws of scatters in tiles are apart from those of the scene's own.
constexpr std::uint32_t firstTileScatter = 1U << 31U;

TilePlant plantOf(const TilePlantRecipe& recipe) {
  const auto& [x, y, z] = recipe.positionM;
  const auto& [qx, qy, qz, qw] = recipe.rotation;
  return {recipe.model, recipe.class_, Vec3d{x, y, z}, normalized(Quatd{qx, qy, qz, qw}),
          recipe.scale};
}

Landscape gridOf(const LandscapeRecipe& recipe) {
  Landscape grid;
  grid.name = recipe.name;
  grid.westM = recipe.cornerM[0];
  grid.southM = recipe.cornerM[1];
  grid.sideM = recipe.sideM;
  grid.columns = recipe.columns;
  grid.rows = recipe.rows;
  grid.plantsPerSquare = recipe.plantsPerSquare;
  grid.firstId = recipe.firstId;
  for (const auto tile : recipe.tileOf) {
    grid.tileOf.push_back(tile < 0 ? noTile : static_cast<std::uint16_t>(tile));
  }
  return grid;
}

void growTiles(const LandscapeRecipe& recipe, std::uint32_t& scatterIndex, const Watch& watch,
               Landscape& landscape) {
  const GroundHeight floorM = [](double, double) { return 0.0; };
  for (const TileRecipe& tile : recipe.tiles) {
    std::vector<TilePlant>& plants = landscape.tiles.emplace_back();
    for (const TilePlantRecipe& plant : tile.plants) plants.push_back(plantOf(plant));
    for (const ScatterRecipe& scatter : tile.scatters) {
      for (const Instance& copy : placeScatter(scatter, scatterIndex, recipe.seed, floorM, watch)) {
        plants.push_back({copy.model, copy.classId, copy.positionM, copy.rotation, copy.scale});
      }
      ++scatterIndex;
    }
  }
}

// Throws 'unsupported' for plants that squares cannot share.
void checkPlants(const Scene& scene, const Landscape& landscape) {
  for (const std::vector<TilePlant>& tile : landscape.tiles) {
    for (const TilePlant& plant : tile) {
      const Model& model = scene.models[plant.model];
      const char* const problem = model.learned != nullptr    ? "is a learned model"
                                  : model.voxels != nullptr   ? "is a voxel model"
                                  : scene.wind && model.sways ? "sways in the wind"
                                                              : nullptr;
      if (problem == nullptr) continue;
      throw UnderstoryError(ErrorCode::unsupported,
                            "landscape '" + landscape.name +
                                "': expected plants of triangles that do not move, "
                                "model '" +
                                model.name + "' " + problem,
                            {{"model", model.name}});
    }
  }
}

// Plants outside of the area and in exclusion zones are left out.
void clear(const LandscapeRecipe& recipe, const Watch& watch, Landscape& landscape) {
  const ScatterArea area(recipe.areaM, recipe.keepClear);
  landscape.leftOut.resize(landscape.squares());
  for (std::uint32_t square = 0; square < landscape.squares(); ++square) {
    if (square % 1024 == 0) watch.throwIfCancelled();
    const Vec2d fromM{landscape.westOf(square), landscape.southOf(square)};
    const Vec2d toM{fromM.x + landscape.sideM, fromM.y + landscape.sideM};
    if (!area.mayDivide(fromM, toM)) {
      const bool isInside = area.contains(0.5 * (fromM.x + toM.x), 0.5 * (fromM.y + toM.y));
      if (!isInside) landscape.tileOf[square] = noTile;
      continue;
    }
    std::vector<bool>& leftOut = landscape.leftOut[square];
    for (const TilePlant& plant : landscape.plantsOf(square)) {
      leftOut.push_back(!area.contains(fromM.x + plant.positionM.x, fromM.y + plant.positionM.y));
    }
  }
}

Boundsf boundsOf(const Landscape& landscape, const Scene& scene, const Watch& watch) {
  std::vector<std::vector<Boundsf>> boxes;
  for (const std::vector<TilePlant>& tile : landscape.tiles) {
    std::vector<Boundsf>& ofTile = boxes.emplace_back();
    for (const TilePlant& plant : tile) {
      ofTile.push_back(uprightBounds(plant, scene.models[plant.model]));
    }
  }
  Boundsf bounds;
  for (std::uint32_t square = 0; square < landscape.squares(); ++square) {
    if (square % 1024 == 0) watch.throwIfCancelled();
    landscape.forEachPlantOf(square, [&](PlantIndices place) {
      const Boundsf& own = boxes[landscape.tileOf[square]][place.plant];
      if (isEmpty(own)) return;
      const Vec3f footM = toFloat(landscape.positionOf(place, scene.groundHeightM));
      extend(bounds, footM + own.min);
      extend(bounds, footM + own.max);
    });
  }
  return bounds;
}

}  // namespace

void addLandscapes(const SceneRecipe& recipe, Scene& scene, const Watch& watch) {
  std::uint64_t next = scene.instances.size();
  std::uint32_t scatterIndex = firstTileScatter;
  for (const LandscapeRecipe& asked : recipe.landscapes) {
    Landscape landscape = gridOf(asked);
    landscape.firstNumber = static_cast<std::uint32_t>(next);
    next += landscape.numbers();
    if (next >= std::numeric_limits<std::uint32_t>::max()) {
      throw UnderstoryError(ErrorCode::badInput,
                            "landscape '" + landscape.name +
                                "': expected at most 2^32 - 2 plants and instances in all");
    }
    growTiles(asked, scatterIndex, watch, landscape);
    checkPlants(scene, landscape);
    clear(asked, watch, landscape);
    landscape.bounds = boundsOf(landscape, scene, watch);
    scene.landscapes.push_back(std::move(landscape));
  }
}

}  // namespace understory
