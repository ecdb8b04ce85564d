// The golden recipes of test/wire, and what the strict readers refuse.
#include <doctest/doctest.h>

#include <fstream>
#include <functional>
#include <string>
#include <variant>

#include "core/assembly/sceneRecipe.h"
#include "core/error.h"
#include "core/sensor/sensorRecipe.h"

using namespace understory;
using nlohmann::json;

namespace {

json goldenRecipes() {
  return json::parse(
      std::ifstream(std::string(UNDERSTORY_TEST_FOLDER) + "/wire/golden/recipes.json"));
}

using Read = std::function<void(const json&)>;

void readSensor(const json& document) { parseSensorRecipe(document); }
void readScene(const json& document) { parseSceneRecipe(document); }

// The path of the first problem; empty where nothing is refused.
std::string refusedPath(const Read& read, const json& document) {
  try {
    read(document);
    return "";
  } catch (const UnderstoryError& error) {
    CHECK(error.code == ErrorCode::badInput);
    return error.details.at("problems").at(0).at("path").get<std::string>();
  }
}

// Calls use(pointer to an object, its path as problems write it) for every object of a document. Objects whose keys
// are names of materials are left out: there any key is a name. So are motions and what raises dust: their laws are the host's.
void forEachObject(const json& value, const json::json_pointer& pointer, const std::string& path,
                   const std::function<void(const json::json_pointer&, const std::string&)>& use) {
  if (value.is_object()) {
    use(pointer, path);
    for (const auto& [key, child] : value.items()) {
      const bool isOfHost = key == "motions" || key == "raised";
      if ((key == "materials" && child.is_object()) || isOfHost) continue;
      forEachObject(child, pointer / key, path.empty() ? key : path + "." + key, use);
    }
  } else if (value.is_array()) {
    for (std::size_t index = 0; index < value.size(); ++index) {
      forEachObject(value[index], pointer / index, path + "[" + std::to_string(index) + "]", use);
    }
  }
}

void checkStrict(const Read& read, const json& golden) {
  REQUIRE(refusedPath(read, golden).empty());
  std::size_t objects = 0;
  forEachObject(
      golden, json::json_pointer(), "", [&](const auto& pointer, const std::string& path) {
        ++objects;
        CAPTURE(path);
        json changed = golden;
        changed[pointer]["surplus"] = 1;
        CHECK(refusedPath(read, changed) == (path.empty() ? "surplus" : path + ".surplus"));
        for (const auto& [key, value] : golden[pointer].items()) {
          CAPTURE(key);
          // A field under another name is not read: where it may be left out, it is the new name that is refused.
          changed = golden;
          changed[pointer].erase(key);
          changed[pointer][key + "Renamed"] = value;
          CHECK_FALSE(refusedPath(read, changed).empty());
        }
      });
  CHECK(objects > 3);
}

}  // namespace

TEST_CASE("every golden sensor is read, and nothing beside its fields") {
  const json golden = goldenRecipes();
  REQUIRE(golden.at("sensors").size() == WordsOf<ScanKind>::words.size());
  for (const auto& [name, document] : golden.at("sensors").items()) {
    CAPTURE(name);
    checkStrict(readSensor, document);
  }
}

TEST_CASE("the golden scene is read, and nothing beside its fields") {
  checkStrict(readScene, goldenRecipes().at("scene"));
}

TEST_CASE("what the golden recipes say arrives") {
  const json golden = goldenRecipes();
  const SensorRecipe sensor = parseSensorRecipe(golden.at("sensors").at("spinning"));
  CHECK(sensor.stream == 3);
  CHECK(sensor.clock.offsetNs == -250);
  CHECK(sensor.banks.at(0).firingOffsetsNs == std::vector<std::int64_t>{0, 1200});
  CHECK(sensor.backfoldM == 150.0);
  CHECK(sensor.beam.rays.profile == BeamProfile::gaussian);
  CHECK(sensor.returns.mode == ReturnMode::all);
  CHECK(sensor.returns.gate->reflectanceFar == 0.4);
  CHECK(sensor.noise.dropOutShare == 0.01);
  CHECK(sensor.noise.limitSigmaM == 0.05);
  CHECK(sensor.returns.detectionFalloff == 0.5);
  CHECK(sensor.intensity.scale == std::vector<std::array<double, 2>>{{1.0, 2.0}, {50.0, 4.0}});
  CHECK(sensor.azimuthStepRad == 0.0001);
  const SceneRecipe scene = parseSceneRecipe(golden.at("scene"));
  CHECK(scene.materials.at(4).surface.gain == 300.0);
  CHECK(scene.atmosphere.law == VisibilityLaw::kim);
  CHECK(scene.mirrorDepth == 2);
  CHECK(scene.weather.particles.at(0).kind == AirKind::snow);
  CHECK(scene.weather.media.at(1).extinctionPerM == 0.01);
  CHECK(sensor.beam.overlap.fullM == 1.0);
  CHECK(scene.scatters.at(0).isPoissonDisk);
  CHECK(std::get<CylinderSource>(scene.models.at(3).source.shape).hasCaps);
  const auto& tree = std::get<PlantSource>(scene.models.at(6).source.shape);
  CHECK(std::get<TreeParameters>(tree.plant).crownShape == CrownShape::tapered);
  const auto& step = std::get<RootStepSource>(scene.models.at(9).source.shape);
  CHECK(step.shape.triangles == 200);
  CHECK(step.barkMaterial == 2);
  const MeshFileOptions& mesh = std::get<MeshSource>(scene.models.at(10).source.shape).options;
  CHECK(mesh.isYUp);
  CHECK(mesh.leafSizeM == 0.04);
  CHECK(mesh.leafAngles == LeafAngleLaw::planophile);
}

TEST_CASE("what was left out has its default") {
  json document = goldenRecipes().at("sensors").at("sweep");
  const SensorRecipe sensor = parseSensorRecipe(document);
  CHECK(sensor.backfoldM == 0.0);
  CHECK(sensor.wavelengthNm == 905.0);
  CHECK(sensor.radiometry == Radiometry::relative);
  CHECK(sensor.returns.maxReturns == 3);
}

TEST_CASE("values out of bounds are refused with path, bound and what was found") {
  json document = goldenRecipes().at("sensors").at("spinning");
  const auto refusal = [](const json& changed) {
    try {
      parseSensorRecipe(changed);
      return std::string();
    } catch (const UnderstoryError& error) {
      return std::string(error.what());
    }
  };
  json changed = document;
  changed["beam"]["rays"]["count"] = 65537;
  CHECK(refusal(changed) ==
        "sensor: beam.rays.count: expected a whole number from 1 to 65536, found 65537");
  changed = document;
  changed["banks"][1]["rings"][0] = 1.5;
  CHECK(refusal(changed) ==
        "sensor: banks[1].rings[0]: expected a whole number from 0 to 65535, found 1.5");
  changed = document;
  changed["returns"]["mode"] = "weakest";
  CHECK(
      refusal(changed) ==
      "sensor: returns.mode: expected one of strongest, last, strongest-and-last, first, closest, "
      "all, found \"weakest\"");
  changed = document;
  changed["maxRangeM"] = -1;
  CHECK(refusal(changed) == "sensor: maxRangeM: expected a number of at least 0.0, found -1");
  changed = document;
  changed["scan"]["rateHz"] = 1e290;
  CHECK(refusal(changed).find("sensor: scan.rateHz: expected a number") == 0);
  // Scans that fire at other times than the slots of the sensor: a search for a slot would not end.
  json sweep = goldenRecipes().at("sensors").at("sweep");
  sweep["scan"]["rateHz"] = 1e6;
  CHECK(refusal(sweep) == "sensor: slotsPerSecond: expected 181000000.0, as its scan has them");
  changed = document;
  changed["noise"] = 3;
  CHECK(refusal(changed) == "sensor: noise: expected an object, found 3");
  changed = document;
  changed.erase("returns");
  CHECK(refusal(changed) == "sensor: returns: expected a value, found nothing");
  changed = document;
  changed["backFoldM"] = 150;
  CHECK(refusal(changed).find("sensor: backFoldM: expected no such field, only id, serial, scan") ==
        0);
}
