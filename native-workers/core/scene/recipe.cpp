#include "core/scene/recipe.h"

#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/optics/opticsRecipe.h"

namespace understory {

namespace {

using nlohmann::json;

// Why a limit: each mirror is a ray more, and a column counts them in eight bits.
constexpr std::int64_t maxMirrors = 32;

[[noreturn]] void refuse(const std::string& message) {
  throw UnderstoryError("bad-input", "scene recipe: " + message);
}

double finiteNumber(const json& value, const char* what) {
  const double number = value.get<double>();
  if (!std::isfinite(number)) refuse(std::string(what) + " is not a finite number");
  return number;
}

template <std::size_t N>
std::array<double, N> numbers(const json& value, const char* what) {
  if (!value.is_array() || value.size() != N) {
    refuse(std::string(what) + ": expected " + std::to_string(N) + " numbers");
  }
  std::array<double, N> result{};
  for (std::size_t index = 0; index < N; ++index) result[index] = finiteNumber(value[index], what);
  return result;
}

// An index into a list of `size` things.
std::uint16_t indexBelow(const json& value, std::size_t size, const char* what) {
  const auto index = value.get<std::int64_t>();
  if (index < 0 || static_cast<std::uint64_t>(index) >= size) {
    refuse(std::string(what) + " " + std::to_string(index) + " does not exist");
  }
  return static_cast<std::uint16_t>(index);
}

double positiveNumber(const json& value, const char* what) {
  const double number = finiteNumber(value, what);
  if (!(number > 0.0)) refuse(std::string(what) + ": expected a number above 0");
  return number;
}

std::uint32_t idNumber(const json& value) {
  const auto id = value.get<std::int64_t>();
  if (id < 1 || id > std::numeric_limits<std::uint32_t>::max()) {
    refuse("id " + std::to_string(id) + ": expected 1 to 4294967295");
  }
  return static_cast<std::uint32_t>(id);
}

ModelRecipe parseModel(const json& value) {
  ModelRecipe model;
  model.name = value.at("name").get<std::string>();
  const auto solid = value.at("solid").get<std::string>();
  if (solid != "all" && solid != "wood" && solid != "none") refuse("solid '" + solid + "'");
  model.solid = solid == "all" ? Solid::all : solid == "wood" ? Solid::wood : Solid::none;
  model.source = value.at("source");
  return model;
}

InstanceRecipe parseInstance(const json& value, const SceneRecipe& recipe) {
  const auto position = numbers<3>(value.at("positionM"), "positionM");
  const auto q = numbers<4>(value.at("rotation"), "rotation");
  const Quatd rotation{q[0], q[1], q[2], q[3]};
  if (std::abs(dot(rotation, rotation) - 1.0) > 1e-6) refuse("rotation is no unit quaternion");
  InstanceRecipe result;
  result.isOnGround = value.at("onGround").get<bool>();
  result.instance = {idNumber(value.at("id")),
                     indexBelow(value.at("model"), recipe.models.size(), "model"),
                     indexBelow(value.at("class"), recipe.classes.size(), "class"),
                     Vec3d{position[0], position[1], position[2]},
                     normalized(rotation),
                     positiveNumber(value.at("scale"), "scale")};
  return result;
}

ScatterRecipe parseScatter(const json& value, const SceneRecipe& recipe) {
  ScatterRecipe scatter;
  scatter.name = value.at("name").get<std::string>();
  scatter.firstId = idNumber(value.at("firstId"));
  scatter.classId = indexBelow(value.at("class"), recipe.classes.size(), "class");
  scatter.model = indexBelow(value.at("model"), recipe.models.size(), "model");
  const auto count = value.at("count").get<std::int64_t>();
  const std::int64_t lastId = static_cast<std::int64_t>(scatter.firstId) + count - 1;
  if (count < 0 || lastId > std::numeric_limits<std::uint32_t>::max()) {
    refuse("scatter '" + scatter.name + "': count " + std::to_string(count));
  }
  scatter.count = static_cast<std::uint32_t>(count);
  const auto pattern = value.at("pattern").get<std::string>();
  if (pattern != "uniform" && pattern != "poisson-disk") refuse("pattern '" + pattern + "'");
  scatter.isPoissonDisk = pattern == "poisson-disk";
  if (scatter.isPoissonDisk) {
    scatter.minSpacingM = positiveNumber(value.at("minSpacingM"), "minSpacingM");
  }
  for (const json& corner : value.at("areaM")) {
    scatter.areaM.push_back(numbers<2>(corner, "areaM"));
  }
  if (scatter.areaM.size() < 3) refuse("areaM: expected three corners or more");
  scatter.yawRad = numbers<2>(value.at("yawRad"), "yawRad");
  scatter.scale = numbers<2>(value.at("scale"), "scale");
  scatter.tiltRad = numbers<2>(value.at("tiltRad"), "tiltRad");
  if (!(scatter.scale[0] > 0.0 && scatter.scale[1] > 0.0)) refuse("scale: expected above 0");
  for (const json& disc : value.at("keepClear")) {
    const auto centre = numbers<2>(disc.at("centreM"), "centreM");
    scatter.keepClear.push_back(
        {centre[0], centre[1], positiveNumber(disc.at("radiusM"), "radiusM")});
  }
  return scatter;
}

SceneRecipe parseUnguarded(const json& value) {
  SceneRecipe recipe;
  recipe.seed = value.at("seed").get<std::uint64_t>();
  for (const json& item : value.at("materials")) recipe.materials.push_back(parseMaterial(item));
  recipe.classes = value.at("classes").get<std::vector<std::string>>();
  for (const json& item : value.at("models")) recipe.models.push_back(parseModel(item));
  constexpr std::size_t most = std::numeric_limits<std::uint16_t>::max();
  if (recipe.materials.size() > most || recipe.classes.size() > most ||
      recipe.models.size() > most) {
    refuse("expected at most 65535 materials, classes and models each");
  }
  for (const json& item : value.at("instances")) {
    recipe.instances.push_back(parseInstance(item, recipe));
  }
  for (const json& item : value.at("scatters")) {
    recipe.scatters.push_back(parseScatter(item, recipe));
  }
  recipe.ground = value.at("ground").get<std::int32_t>();
  if (recipe.ground < -1 ||
      (recipe.ground >= 0 &&
       static_cast<std::size_t>(recipe.ground) >= recipe.instances.size())) {
    refuse("ground: expected -1 or the index of an instance");
  }
  if (value.contains("atmosphere")) recipe.atmosphere = parseAtmosphere(value.at("atmosphere"));
  if (value.contains("mirrorDepth")) {
    const auto depth = value.at("mirrorDepth").get<std::int64_t>();
    if (depth < 0 || depth > maxMirrors) refuse("mirrorDepth: expected 0 to 32");
    recipe.mirrorDepth = static_cast<std::uint32_t>(depth);
  }
  return recipe;
}

}  // namespace

SceneRecipe parseSceneRecipe(const nlohmann::json& recipe) {
  try {
    return parseUnguarded(recipe);
  } catch (const json::exception& error) {
    refuse(error.what());
  }
}

}  // namespace understory
