// The golden recipes of test/wire, and what the strict readers refuse.
#include <doctest/doctest.h>

#include <fstream>
#include <functional>
#include <string>
#include <variant>

#include "contract/sceneRecipe.h"
#include "contract/sensorRecipe.h"
#include "core/error.h"

using namespace understory;
using nlohmann::json;

namespace {

json goldenRecipes() {
  return json::parse(
      std::ifstream(std::string(UNDERSTORY_TEST_FOLDER) + "/wire/golden/recipes.json"));
}

using Read = std::function<void(const json&)>;

void readSensor(const json& document) { readObject(document, "sensor", readSensorRecipe); }
void readScene(const json& document) { readObject(document, "recipe", readSceneRecipe); }

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
  const SensorRecipe sensor =
      readObject(golden.at("sensors").at("spinning"), "sensor", readSensorRecipe);
  CHECK(sensor.stream == 3);
  CHECK(sensor.clock.offsetNs == -250);
  CHECK(sensor.banks.at(0).firingOffsetsNs == std::vector<std::int64_t>{0, 1200});
  CHECK(sensor.backfoldM == 150.0);
  CHECK(sensor.beam.rays.profile.kind == BeamProfile::gaussian);
  CHECK(sensor.returns.mode == ReturnMode::all);
  CHECK(sensor.returns.gate->reflectanceFar == 0.4);
  CHECK(sensor.noise.dropOutShare == 0.01);
  CHECK(sensor.noise.limitSigmaM == 0.05);
  CHECK(sensor.returns.detectionFalloff == 0.5);
  CHECK(sensor.intensity.scale == std::vector<std::array<double, 2>>{{1.0, 2.0}, {50.0, 4.0}});
  CHECK(sensor.quantisation.azimuthRad == 0.0001);
  const SceneRecipe scene = readObject(golden.at("scene"), "recipe", readSceneRecipe);
  CHECK(scene.materials.at(4).surface.gain == 300.0);
  CHECK(scene.atmosphere.visibilityLaw == VisibilityLaw::kim);
  CHECK(scene.mirrorDepth == 2);
  CHECK(scene.weather.particles.at(0).kind == AirKind::snow);
  CHECK(scene.weather.media.at(1).extinctionPerM == 0.01);
  CHECK(sensor.beam.overlapM->at(1) == 1.0);
  CHECK(scene.scatters.at(0).pattern == ScatterPattern::poissonDisk);
  CHECK(std::get<CylinderSource>(scene.models.at(3).source.shape).caps);
  const auto& tree = std::get<PlantSource>(scene.models.at(6).source.shape);
  CHECK(std::get<TreeParameters>(tree.plant).crownShape == CrownShape::tapered);
  const auto& step = std::get<RootStepSource>(scene.models.at(9).source.shape);
  CHECK(step.triangles == 200);
  CHECK(step.barkMaterial == 2);
  const auto& mesh = std::get<MeshSource>(scene.models.at(10).source.shape);
  CHECK(mesh.upAxis == UpAxis::y);
  CHECK(mesh.leafSizeM == 0.04);
  CHECK(mesh.leafAngles == LeafAngleLaw::planophile);
  const auto& canopy = std::get<LeafDiscsSource>(scene.models.back().source.shape);
  CHECK(canopy.leafAngles == LeafAngleLaw::planophile);
  CHECK(canopy.clumpLeaves == 4);
}

TEST_CASE("what was left out has its default") {
  json document = goldenRecipes().at("sensors").at("sweep");
  const SensorRecipe sensor = readObject(document, "sensor", readSensorRecipe);
  CHECK(sensor.backfoldM == 0.0);
  CHECK(sensor.wavelengthNm == 905.0);
  CHECK(sensor.radiometry == Radiometry::relative);
  CHECK(sensor.returns.maxReturns == 3);
}

TEST_CASE("values out of bounds are refused with path, bound and what was found") {
  json document = goldenRecipes().at("sensors").at("spinning");
  const auto refusal = [](const json& changed) {
    try {
      readObject(changed, "sensor", readSensorRecipe);
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
  CHECK(refusal(changed).find(
            "sensor: backFoldM: expected no such field, only id, stream, serial, scan") == 0);
}

TEST_CASE("indices are refused beyond the list that they refer to, numbers off their multiple") {
  const json golden = goldenRecipes().at("scene");
  const auto refusalWith = [&](const char* pointer, const json& value) {
    json changed = golden;
    changed[json::json_pointer(pointer)] = value;
    try {
      readObject(changed, "recipe", readSceneRecipe);
    } catch (const UnderstoryError& error) {
      return std::string(error.what());
    }
    return std::string("was accepted");
  };
  CHECK(refusalWith("/models/3/source/material", 7) ==
        "recipe: models[3].source.material: expected the index of one of 7 materials, found 7");
  CHECK(refusalWith("/models/6/source/materials/leaf", 9) ==
        "recipe: models[6].source.materials: expected the index of one of 7 materials, found 9");
  CHECK(refusalWith("/models/6/source/materials/leaf", "green") ==
        "recipe: models[6].source.materials: expected indices of materials by name");
  CHECK(refusalWith("/instances/0/model", 13) ==
        "recipe: instances[0].model: expected the index of one of 13 models, found 13");
  CHECK(refusalWith("/scatters/0/class", 3) ==
        "recipe: scatters[0].class: expected the index of one of 3 classes, found 3");
  CHECK(refusalWith("/instances/0/motion", 1) ==
        "recipe: instances[0].motion: expected the index of one of 1 motions, found 1");
  CHECK(refusalWith("/models/6/source/plant/leaves/triangles", 10) ==
        "recipe: models[6].source.plant.leaves.triangles: expected a multiple of 4");
}
