#include "core/assembly/modelSource.h"

#include <cmath>
#include <map>
#include <string>

#include "core/error.h"
#include "core/plants/plants.h"
#include "core/scene/primitives.h"

namespace understory {

namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& message) {
  throw UnderstoryError("bad-input", "scene recipe: " + message);
}

double positiveOf(const json& source, const char* name) {
  const double value = source.at(name).get<double>();
  if (!(value > 0.0) || !std::isfinite(value)) refuse(std::string(name) + ": expected above 0");
  return value;
}

std::uint32_t countOf(const json& source, const char* name, std::uint32_t least) {
  const auto value = source.at(name).get<std::int64_t>();
  constexpr std::int64_t most = 1 << 16;
  if (value < least || value > most) {
    refuse(std::string(name) + ": expected " + std::to_string(least) + " to 65536");
  }
  return static_cast<std::uint32_t>(value);
}

std::uint16_t checkedMaterial(const json& value, const SceneRecipe& recipe) {
  const auto index = value.get<std::int64_t>();
  if (index < 0 || static_cast<std::uint64_t>(index) >= recipe.materials.size()) {
    refuse("material " + std::to_string(index) + " does not exist");
  }
  return static_cast<std::uint16_t>(index);
}

MaterialIndices materialsByName(const json& materials, const SceneRecipe& recipe) {
  MaterialIndices indices;
  for (const auto& [name, index] : materials.items()) {
    indices[name] = checkedMaterial(index, recipe);
  }
  return indices;
}

MeshFormat meshFormat(const json& source) {
  const auto format = source.at("format").get<std::string>();
  if (format != "obj" && format != "ply" && format != "stl") refuse("format '" + format + "'");
  return format == "obj" ? MeshFormat::obj : format == "ply" ? MeshFormat::ply : MeshFormat::stl;
}

MeshFileOptions meshOptions(const json& source, const SceneRecipe& recipe) {
  MeshFileOptions options;
  options.format = meshFormat(source);
  options.unitM = positiveOf(source, "unitM");
  const auto upAxis = source.at("upAxis").get<std::string>();
  if (upAxis != "y" && upAxis != "z") refuse("upAxis '" + upAxis + "'");
  options.isYUp = upAxis == "y";
  options.material = checkedMaterial(source.at("material"), recipe);
  options.materials = materialsByName(source.at("materials"), recipe);
  return options;
}

std::uint64_t predictUnguarded(const json& source) {
  const auto kind = source.at("kind").get<std::string>();
  if (kind == "box") return 12;
  if (kind == "sphere") {
    const std::uint64_t rings = countOf(source, "rings", 2);
    return 4 * rings * (rings - 1);
  }
  if (kind == "cylinder") {
    const std::uint64_t sides = countOf(source, "sides", 3);
    return source.at("caps").get<bool>() ? 4 * sides : 2 * sides;
  }
  if (kind == "plane") {
    const std::uint64_t divisions = countOf(source, "divisions", 1);
    return 2 * divisions * divisions;
  }
  if (kind == "height-field") {
    const std::uint64_t columns = countOf(source, "columns", 2);
    const std::uint64_t rows = countOf(source, "rows", 2);
    return 2 * (columns - 1) * (rows - 1);
  }
  if (kind == "plant") return predictPlantTriangles(source.at("plant"));
  if (kind == "mesh") {
    // Bytes of a triangle in a large file, its share of the vertices included; what is read is counted
    // before it goes to Embree.
    const auto format = source.at("format").get<std::string>();
    const std::uint64_t bytesPerTriangle = format == "stl" ? 50 : format == "ply" ? 18 : 25;
    return fileSizeBytes(source.at("file").get<std::string>()) / bytesPerTriangle;
  }
  refuse("model kind '" + kind + "'");
}

ModelTriangles makeUnguarded(const json& source, const SceneRecipe& recipe,
                             std::span<const float> heightsM, const MeshFileBytes* file,
                             const Watch& watch) {
  const auto kind = source.at("kind").get<std::string>();
  if (kind == "plant") {
    const MaterialIndices materials = materialsByName(source.at("materials"), recipe);
    GrownPlant plant =
        growPlant(source.at("plant"), source.at("seed").get<std::uint64_t>(), materials, watch);
    return {std::move(plant.builder), plant.blades, plant.barkMaterial};
  }
  if (kind == "mesh") {
    if (file == nullptr) refuse("a mesh without the bytes of its file");
    return {convertMeshFile(*file, meshOptions(source, recipe), watch), 0, -1};
  }
  const std::uint16_t material = checkedMaterial(source.at("material"), recipe);
  if (kind == "box") {
    const auto size = source.at("sizeM").get<std::array<double, 3>>();
    if (!(size[0] > 0.0 && size[1] > 0.0 && size[2] > 0.0)) refuse("sizeM: expected above 0");
    return {makeBox({size[0], size[1], size[2]}, material), 0, -1};
  }
  if (kind == "sphere") {
    return {makeSphere(positiveOf(source, "radiusM"), countOf(source, "rings", 2), material), 0,
            -1};
  }
  if (kind == "cylinder") {
    return {makeCylinder(positiveOf(source, "radiusM"), positiveOf(source, "heightM"),
                         countOf(source, "sides", 3), source.at("caps").get<bool>(), material),
            0, -1};
  }
  if (kind == "plane") {
    const auto size = source.at("sizeM").get<std::array<double, 2>>();
    if (!(size[0] > 0.0 && size[1] > 0.0)) refuse("sizeM: expected above 0");
    return {makePlane(size[0], size[1], countOf(source, "divisions", 1), material), 0, -1};
  }
  if (kind == "height-field") {
    return {makeHeightField(parseHeightField(source, heightsM), material), 0, -1};
  }
  refuse("model kind '" + kind + "'");
}

}  // namespace

std::uint64_t predictTriangles(const json& source) {
  try {
    return predictUnguarded(source);
  } catch (const json::exception& error) {
    refuse(error.what());
  }
}

MeshFileBytes loadModelFile(const json& source, const Watch& watch) {
  try {
    return loadMeshFile(source.at("file").get<std::string>(), meshFormat(source), watch);
  } catch (const json::exception& error) {
    refuse(error.what());
  }
}

ModelTriangles makeModelTriangles(const json& source, const SceneRecipe& recipe,
                                  std::span<const float> heightsM, const MeshFileBytes* file,
                                  const Watch& watch) {
  try {
    return makeUnguarded(source, recipe, heightsM, file, watch);
  } catch (const json::exception& error) {
    refuse(error.what());
  }
}

HeightField parseHeightField(const json& source, std::span<const float> heightsM) {
  HeightField field;
  field.columns = countOf(source, "columns", 2);
  field.rows = countOf(source, "rows", 2);
  const auto origin = source.at("originM").get<std::array<double, 2>>();
  const auto step = source.at("stepM").get<std::array<double, 2>>();
  field.originXM = origin[0];
  field.originYM = origin[1];
  field.stepXM = step[0];
  field.stepYM = step[1];
  if (!(step[0] > 0.0 && step[1] > 0.0)) refuse("stepM: expected above 0");
  const std::uint64_t nodes = std::uint64_t{field.columns} * field.rows;
  if (heightsM.size() != nodes) {
    refuse("heights: expected " + std::to_string(nodes) + " values, found " +
           std::to_string(heightsM.size()));
  }
  for (const float heightM : heightsM) {
    if (!std::isfinite(heightM)) refuse("heights: a value is not finite");
  }
  field.heightsM.assign(heightsM.begin(), heightsM.end());
  return field;
}

}  // namespace understory
