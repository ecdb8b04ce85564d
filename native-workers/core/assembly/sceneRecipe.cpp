// Reading a scene recipe.
#include "core/assembly/sceneRecipe.h"

#include <cmath>
#include <limits>

#include "core/fieldReader.h"
#include "core/optics/opticsRecipe.h"

namespace understory {

namespace {

using nlohmann::json;

ModelRecipe parseModel(FieldReader& value, std::size_t materials) {
  namespace at = fields::model;
  ModelRecipe model;
  model.name = value.text(at::name);
  model.solid = value.word(at::solid);
  if (value.has(at::sways)) model.sways = value.flag(at::sways);
  const json& source = value.any(at::source);
  model.source = value.object(
      at::source, [&](FieldReader& reader) { return parseModelSource(reader, source, materials); });
  return model;
}

Quatd parseRotation(FieldReader& value, const NumbersField& field) {
  const auto q = value.numbers<4>(field);
  const Quatd rotation{q[0], q[1], q[2], q[3]};
  if (std::abs(dot(rotation, rotation) - 1.0) > 1e-6) {
    value.refuse(field.item.name, "a unit quaternion");
  }
  return normalized(rotation);
}

InstanceRecipe parseInstance(FieldReader& value, const SceneRecipe& recipe) {
  namespace at = fields::instance;
  const auto position = value.numbers<3>(at::positionM);
  value.skip(at::name);  // for the host
  InstanceRecipe result;
  result.isOnGround = value.flag(at::onGround);
  result.instance = {value.integer<std::uint32_t>(at::id),
                     value.index<std::uint16_t>(at::model, recipe.models.size(), "models"),
                     value.index<std::uint16_t>(at::class_, recipe.classes.size(), "classes"),
                     Vec3d{position[0], position[1], position[2]},
                     parseRotation(value, at::rotation),
                     value.number(at::scale)};
  if (value.has(at::motion)) {
    result.instance.motion = value.index<std::uint16_t>(at::motion, recipe.motions, "motions");
  }
  return result;
}

KeepClear parseKeepClear(FieldReader& disc) {
  const auto centre = disc.numbers<2>(fields::keepClear::centreM);
  return {centre[0], centre[1], disc.number(fields::keepClear::radiusM)};
}

ScatterRecipe parseScatter(FieldReader& value, const SceneRecipe& recipe) {
  namespace at = fields::scatter;
  ScatterRecipe scatter;
  scatter.name = value.text(at::name);
  scatter.firstId = value.integer<std::uint32_t>(at::firstId);
  scatter.classId = value.index<std::uint16_t>(at::class_, recipe.classes.size(), "classes");
  scatter.model = value.index<std::uint16_t>(at::model, recipe.models.size(), "models");
  scatter.count = value.integer<std::uint32_t>(at::count);
  constexpr std::uint64_t maxId = std::numeric_limits<std::uint32_t>::max();
  if (std::uint64_t{scatter.firstId} + scatter.count > maxId + 1) {
    value.refuse(at::count.name, "ids of at most " + std::to_string(maxId));
  }
  scatter.isPoissonDisk = value.word(at::pattern) == ScatterPattern::poissonDisk;
  scatter.minSpacingM = value.number(at::minSpacingM);
  if (scatter.isPoissonDisk && scatter.minSpacingM <= 0.0) {
    value.refuse(at::minSpacingM.name, "a number above 0 for poisson-disk");
  }
  scatter.areaM = value.rows<2>(at::areaM);
  scatter.yawRad = value.numbers<2>(at::yawRad);
  scatter.scale = value.numbers<2>(at::scale);
  scatter.tiltRad = value.numbers<2>(at::tiltRad);
  scatter.keepClear = value.list(at::keepClear, parseKeepClear);
  return scatter;
}

TilePlant parseTilePlant(FieldReader& value, const SceneRecipe& recipe) {
  namespace at = fields::tilePlant;
  value.skip(at::name);  // for the host
  const auto position = value.numbers<3>(at::positionM);
  return {value.index<std::uint16_t>(at::model, recipe.models.size(), "models"),
          value.index<std::uint16_t>(at::class_, recipe.classes.size(), "classes"),
          Vec3d{position[0], position[1], position[2]}, parseRotation(value, at::rotation),
          value.number(at::scale)};
}

TileRecipe parseTile(FieldReader& value, const SceneRecipe& recipe) {
  namespace at = fields::tile;
  return {value.list(at::plants, [&](FieldReader& plant) { return parseTilePlant(plant, recipe); }),
          value.list(at::scatters,
                     [&](FieldReader& scatter) { return parseScatter(scatter, recipe); })};
}

LandscapeRecipe parseLandscape(FieldReader& value, const SceneRecipe& recipe) {
  namespace at = fields::landscape;
  LandscapeRecipe landscape;
  Landscape& grid = landscape.grid;
  grid.name = value.text(at::name);
  grid.firstId = value.integer<std::uint32_t>(at::firstId);
  const auto corner = value.numbers<2>(at::cornerM);
  grid.westM = corner[0];
  grid.southM = corner[1];
  grid.sideM = value.number(at::sideM);
  grid.columns = value.integer<std::uint32_t>(at::columns);
  grid.rows = value.integer<std::uint32_t>(at::rows);
  grid.plantsPerSquare = value.integer<std::uint32_t>(at::plantsPerSquare);
  constexpr std::uint64_t maxId = std::numeric_limits<std::uint32_t>::max();
  if (grid.numbers() + grid.firstId > maxId) {
    value.refuse(at::plantsPerSquare.name, "ids of at most " + std::to_string(maxId));
  }
  landscape.tiles =
      value.list(at::tiles, [&](FieldReader& tile) { return parseTile(tile, recipe); });
  const std::vector<std::int32_t> tileOf = value.integerList<std::int32_t>(at::tileOf);
  if (tileOf.size() != grid.squares()) {
    value.refuse(at::tileOf.item.name,
                 "a number for each of " + std::to_string(grid.squares()) + " squares");
  }
  for (const std::int32_t tile : tileOf) {
    if (tile >= static_cast<std::int32_t>(landscape.tiles.size())) {
      value.refuse(at::tileOf.item.name, "indices of tiles, or -1");
    }
    grid.tileOf.push_back(tile < 0 ? noTile : static_cast<std::uint16_t>(tile));
  }
  landscape.areaM = value.rows<2>(at::areaM);
  landscape.keepClear = value.list(at::keepClear, parseKeepClear);
  return landscape;
}

Wind parseWind(FieldReader& value) {
  namespace at = fields::wind;
  return {value.number(at::speedMPerS), value.number(at::towardsRad),
          value.number(at::topM),       value.number(at::maxLean),
          value.number(at::gusts),      value.number(at::frequencyHz)};
}

SceneRecipe parseScene(FieldReader& value) {
  namespace at = fields::scene;
  SceneRecipe recipe;
  recipe.seed = value.integer<std::uint64_t>(at::seed);
  recipe.materials = value.list(at::materials, parseMaterial);
  recipe.classes = value.texts(at::classes);
  const std::size_t materials = recipe.materials.size();
  recipe.models =
      value.list(at::models, [&](FieldReader& model) { return parseModel(model, materials); });
  // Their laws are the host's.
  if (value.has(at::motions)) recipe.motions = value.countOf(at::motions);
  recipe.instances = value.list(
      at::instances, [&](FieldReader& instance) { return parseInstance(instance, recipe); });
  recipe.scatters =
      value.list(at::scatters, [&](FieldReader& scatter) { return parseScatter(scatter, recipe); });
  if (value.has(at::landscapes)) {
    recipe.landscapes = value.list(
        at::landscapes, [&](FieldReader& landscape) { return parseLandscape(landscape, recipe); });
  }
  recipe.ground = value.integer<std::int32_t>(at::ground);
  if (recipe.ground >= 0 && static_cast<std::size_t>(recipe.ground) >= recipe.instances.size()) {
    value.refuse(at::ground.name, "-1 or the index of an instance");
  }
  if (value.has(at::atmosphere)) recipe.atmosphere = value.object(at::atmosphere, parseAtmosphere);
  if (value.has(at::weather)) recipe.weather = value.object(at::weather, parseWeather);
  if (value.has(at::wind)) recipe.wind = value.object(at::wind, parseWind);
  if (recipe.wind) recipe.wind->seed = recipe.seed;
  recipe.mirrorDepth = value.integer(at::mirrorDepth, recipe.mirrorDepth);
  return recipe;
}

}  // namespace

SceneRecipe parseSceneRecipe(const json& recipe) {
  return readObject(recipe, "recipe", parseScene);
}

}  // namespace understory
