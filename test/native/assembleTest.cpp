// From a recipe to a scene: placing, ids, ground, summary, hash and refusals.
#include <doctest/doctest.h>

#include "core/assembly/assemble.h"
#include "core/assembly/summary.h"
#include "core/error.h"

using namespace understory;
using nlohmann::json;

namespace {

json instance(int id, int model, json positionM, bool onGround = true) {
  return {{"id", id},
          {"name", "i" + std::to_string(id)},
          {"class", 0},
          {"model", model},
          {"positionM", std::move(positionM)},
          {"onGround", onGround},
          {"rotation", {0, 0, 0, 1}},
          {"scale", 2.0}};
}

json scatter(int firstId, const char* name, int count) {
  return {{"firstId", firstId},  {"name", name},
          {"class", 1},          {"model", 1},
          {"count", count},      {"pattern", "uniform"},
          {"minSpacingM", 0},    {"areaM", {{0, 0}, {20, 0}, {20, 20}, {0, 20}}},
          {"yawRad", {0, 6.28}}, {"scale", {1, 1}},
          {"tiltRad", {0, 0}},   {"keepClear", json::array()}};
}

// A slope z = x / 2 from (0, 0) to (20, 20), boxes on it.
json slopeRecipe() {
  json ground = instance(1, 0, {0, 0, 0}, false);
  ground["scale"] = 1;
  return {{"seed", 3},
          {"materials", {{{"name", "m"}, {"reflectance", 0.5}, {"colourRgb", {1, 0, 0}}}}},
          {"classes", {"thing", "copy"}},
          {"models",
           {{{"name", "ground"},
             {"solid", "none"},
             {"source",
              {{"kind", "height-field"},
               {"columns", 2},
               {"rows", 2},
               {"originM", {0, 0}},
               {"stepM", {20, 20}},
               {"material", 0}}}},
            {{"name", "box"},
             {"solid", "all"},
             {"source", {{"kind", "box"}, {"sizeM", {1, 1, 1}}, {"material", 0}}}}}},
          {"instances", {ground, instance(2, 1, {10, 4, 1})}},
          {"scatters", {scatter(3, "a", 50), scatter(53, "b", 70)}},
          {"ground", 0}};
}

const std::vector<float> slope{0.0F, 10.0F, 0.0F, 10.0F};

std::string refusalOf(const json& recipe, const AssembleOptions& options = {}) {
  try {
    assembleScene(recipe, slope, options);
  } catch (const UnderstoryError& error) {
    return std::string(wordOf(error.code)) + ": " + error.what();
  }
  return "was accepted";
}

}  // namespace

TEST_CASE("instances and scatters are on the ground, in order of id") {
  const Scene scene = assembleScene(slopeRecipe(), slope, {});
  REQUIRE(scene.instances.size() == 122);
  CHECK(scene.instances[1].positionM.z == doctest::Approx(6.0));
  for (std::size_t index = 0; index < scene.instances.size(); ++index) {
    const Instance& placed = scene.instances[index];
    CHECK(placed.id == index + 1);
    if (index >= 2) CHECK(placed.positionM.z == doctest::Approx(0.5 * placed.positionM.x));
  }
  CHECK(scene.models[0].footprint.empty());
  CHECK(scene.models[1].footprint.size() == 4);
}

TEST_CASE("the summary counts, and the columns hold world boxes") {
  const Scene scene = assembleScene(slopeRecipe(), slope, {});
  const json summary = summariseScene(scene);
  CHECK(summary["instancedTriangles"] == 2 + 121 * 12);
  CHECK(summary["uniqueTriangles"] == 14);
  CHECK(summary["instances"] == 122);
  CHECK(summary["models"][1]["instances"] == 121);
  CHECK(summary["models"][0]["footprintM"].is_null());
  CHECK(summary["scatters"][1] == json{{"name", "b"}, {"requested", 70}, {"placed", 70}});
  CHECK(summary["sceneHash"] == scene.hash);
  CHECK(scene.hash.size() == 16);
  const InstanceColumns columns = instanceColumns(scene, 0, scene.instances.size());
  REQUIRE(columns.instanceId.size() == 122);
  CHECK(columns.minXM[1] == doctest::Approx(9.0F));  // the box of 1 m at scale 2
  CHECK(columns.maxZM[1] == doctest::Approx(7.0F));
  CHECK(columns.maxXM[0] == 20.0F);
  CHECK(columns.maxZM[0] == 10.0F);
}

TEST_CASE(
    "the hash tells scenes apart, and neither names nor the order of scatters' work enter it") {
  const std::string hash = assembleScene(slopeRecipe(), slope, {}).hash;
  CHECK(assembleScene(slopeRecipe(), slope, {}).hash == hash);
  json renamed = slopeRecipe();
  renamed["models"][1]["name"] = "cube";
  CHECK(assembleScene(renamed, slope, {}).hash == hash);
  json seeded = slopeRecipe();
  seeded["seed"] = 4;
  CHECK(assembleScene(seeded, slope, {}).hash != hash);
  json bright = slopeRecipe();
  bright["materials"][0]["reflectance"] = 0.51;
  CHECK(assembleScene(bright, slope, {}).hash != hash);
  std::vector<float> steeper = slope;
  steeper[1] = 10.1F;
  CHECK(assembleScene(slopeRecipe(), steeper, {}).hash != hash);
}

TEST_CASE("one scatter does not influence another") {
  const Scene both = assembleScene(slopeRecipe(), slope, {});
  json fewer = slopeRecipe();
  fewer["scatters"][0]["count"] = 5;
  const Scene changed = assembleScene(fewer, slope, {});
  for (std::size_t n = 0; n < 70; ++n) {
    CHECK(both.instances[52 + n].positionM.x == changed.instances[7 + n].positionM.x);
    CHECK(both.instances[52 + n].id == changed.instances[7 + n].id);
  }
}

TEST_CASE("a scene that would not fit is refused with its sizes before it is made") {
  json large = slopeRecipe();
  large["models"][1]["source"] = {
      {"kind", "sphere"}, {"radiusM", 1}, {"rings", 60000}, {"material", 0}};
  AssembleOptions options;
  options.memoryLimitBytes = 1'000'000'000;
  CHECK(refusalOf(large, options).find("scene-too-large: the scene needs about") == 0);
  large = slopeRecipe();
  large["scatters"][1]["count"] = 4'000'000'000U;
  CHECK(refusalOf(large, options).find("4000000052 instances") != std::string::npos);
}

TEST_CASE("recipes that make no sense are refused") {
  const auto changed = [](const char* pointer, const json& value) {
    json recipe = slopeRecipe();
    recipe[json::json_pointer(pointer)] = value;
    return refusalOf(recipe);
  };
  for (const auto& [pointer, value] : std::initializer_list<std::pair<const char*, json>>{
           {"/instances/1/model", 9},
           {"/instances/1/id", 1},  // twice
           {"/instances/1/id", 0},
           {"/instances/1/rotation", {0, 0, 0, 2}},
           {"/instances/1/scale", 0},
           {"/instances/0/scale", 2},  // the ground
           {"/scatters/0/class", -1},
           {"/scatters/0/areaM", {{0, 0}, {1, 1}}},
           {"/scatters/0/pattern", "rows"},
           {"/models/0/source/columns", 3},  // heights do not fit
           {"/models/1/source/kind", "torus"},
           {"/models/1/source/sizeM", {1, -1, 1}},
           {"/models/1/source/material", 1},
           {"/materials/0/reflectance", 1.5},
           {"/seed", "one"}}) {
    CAPTURE(pointer);
    CHECK(changed(pointer, value).find("bad-input: ") == 0);
  }
  CHECK(refusalOf(json::object()).find("bad-input: ") == 0);
}

TEST_CASE("assembling reports its progress and can be cancelled") {
  AssembleOptions options;
  std::vector<std::string> phases;
  options.watch.onProgress = [&](const std::string& phase, std::size_t done, std::size_t total) {
    CHECK(done <= total);
    phases.push_back(phase);
  };
  assembleScene(slopeRecipe(), slope, options);
  CHECK(phases.front() == "models");
  CHECK(phases.back() == "scatters");
  const std::atomic<bool> isCancelled{true};
  options.watch.isCancelled = &isCancelled;
  CHECK(refusalOf(slopeRecipe(), options).find("cancelled: ") == 0);
}
