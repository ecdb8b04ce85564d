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

InstanceRecipe parseInstance(FieldReader& value, const SceneRecipe& recipe) {
  namespace at = fields::instance;
  const auto position = value.numbers<3>(at::positionM);
  const auto q = value.numbers<4>(at::rotation);
  const Quatd rotation{q[0], q[1], q[2], q[3]};
  if (std::abs(dot(rotation, rotation) - 1.0) > 1e-6) {
    value.refuse(at::rotation.item.name, "a unit quaternion");
  }
  value.skip(at::name);  // for the host
  InstanceRecipe result;
  result.isOnGround = value.flag(at::onGround);
  result.instance = {value.integer<std::uint32_t>(at::id),
                     value.index<std::uint16_t>(at::model, recipe.models.size(), "models"),
                     value.index<std::uint16_t>(at::class_, recipe.classes.size(), "classes"),
                     Vec3d{position[0], position[1], position[2]},
                     normalized(rotation),
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
