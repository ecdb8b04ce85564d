// Rules across the fields of scenes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "contract/sceneRecipe.h"
#include "core/fieldReader.h"

namespace understory {

namespace {

void checkRotation(const std::array<double, 4>& rotation, const NumbersField& field,
                   const FieldReader& from) {
  const auto& [x, y, z, w] = rotation;
  if (std::abs(x * x + y * y + z * z + w * w - 1.0) > 1e-6) {
    from.refuse(field.item.name, "a unit quaternion");
  }
}

// A tile has no more plants than its squares have numbers for, all of them within its square.
void checkTile(const LandscapeRecipe& landscape, std::size_t index, const FieldReader& from) {
  const auto& [plants, scatters] = landscape.tiles[index];
  std::uint64_t count = plants.size();
  const auto isInside = [&](double coordinateM) {
    return coordinateM >= 0.0 && coordinateM <= landscape.sideM;
  };
  bool areInside = std::ranges::all_of(plants, [&](const TilePlantRecipe& plant) {
    return isInside(plant.positionM[0]) && isInside(plant.positionM[1]);
  });
  for (const ScatterRecipe& scatter : scatters) {
    count += scatter.count;
    areInside = areInside && std::ranges::all_of(scatter.areaM, [&](const auto& corner) {
                  return isInside(corner[0]) && isInside(corner[1]);
                });
  }
  const std::string_view name = fields::landscape::tiles.name;
  if (count > landscape.plantsPerSquare) {
    from.refuse(name, "at most plantsPerSquare plants", index);
  }
  if (!areInside) from.refuse(name, "plants from 0 to sideM", index);
}

}  // namespace

void check(const InstanceRecipe& instance, const FieldReader& from) {
  checkRotation(instance.rotation, fields::instance::rotation, from);
}

void check(const TilePlantRecipe& plant, const FieldReader& from) {
  checkRotation(plant.rotation, fields::tilePlant::rotation, from);
}

void check(const LandscapeRecipe& landscape, const FieldReader& from) {
  namespace at = fields::landscape;
  constexpr std::uint64_t maxId = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t squares = std::uint64_t{landscape.columns} * landscape.rows;
  if (squares * landscape.plantsPerSquare + landscape.firstId > maxId + 1) {
    from.refuse(at::plantsPerSquare.name, "ids of at most " + std::to_string(maxId));
  }
  if (landscape.tileOf.size() != squares) {
    from.refuse(at::tileOf.item.name,
                "a number for each of " + std::to_string(squares) + " squares");
  }
  for (std::size_t tile = 0; tile < landscape.tiles.size(); ++tile) {
    checkTile(landscape, tile, from);
  }
  const auto tiles = static_cast<std::int64_t>(landscape.tiles.size());
  if (std::ranges::any_of(landscape.tileOf, [&](std::int64_t tile) { return tile >= tiles; })) {
    from.refuse(at::tileOf.item.name, "indices of tiles, or -1");
  }
}

void check(const ScatterRecipe& scatter, const FieldReader& from) {
  namespace at = fields::scatter;
  constexpr std::uint64_t maxId = std::numeric_limits<std::uint32_t>::max();
  if (std::uint64_t{scatter.firstId} + scatter.count > maxId + 1) {
    from.refuse(at::count.name, "ids of at most " + std::to_string(maxId));
  }
  if (scatter.pattern == ScatterPattern::poissonDisk && scatter.minSpacingM <= 0.0) {
    from.refuse(at::minSpacingM.name, "a number above 0 for poisson-disk");
  }
}

void check(const SceneRecipe& scene, const FieldReader& from) {
  if (scene.ground >= 0 && static_cast<std::size_t>(scene.ground) >= scene.instances.size()) {
    from.refuse(fields::scene::ground.name, "-1 or the index of an instance");
  }
}

}  // namespace understory
