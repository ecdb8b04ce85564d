// Landscapes: every plant is met where an instance of its own would be, and has its own id.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "core/assembly/assemble.h"
#include "core/assembly/summary.h"
#include "core/error.h"
#include "core/random/philox.h"
#include "test/native/support/scenes.h"
#include "truth/voxelTruth.h"

using namespace understory;
using nlohmann::json;

namespace {

constexpr std::uint32_t posts = 41;  // every 5 m

// Slopes of up to 60 per cent, and ridges that no plane follows.
std::vector<float> roughGround() {
  std::vector<float> heightsM;
  for (std::uint32_t row = 0; row < posts; ++row) {
    for (std::uint32_t column = 0; column < posts; ++column) {
      const double x = 5.0 * column;
      const double y = 5.0 * row;
      heightsM.push_back(
          static_cast<float>(0.3 * x + 12.0 * std::sin(x / 23.0) * std::cos(y / 17.0)));
    }
  }
  return heightsM;
}

json tilePlant(int number, double x, double y, double tiltRad) {
  const double half = 0.5 * tiltRad;
  return {{"name", "p" + std::to_string(number)},
          {"class", number % 2},
          {"model", 1 + number % 2},
          {"positionM", {x, y, 0.2}},
          {"rotation", {std::sin(half) * 0.6, std::sin(half) * 0.8, 0.0, std::cos(half)}},
          {"scale", 0.7 + 0.1 * (number % 5)}};
}

// 200 x 200 m of squares of 20 m, each with one of three tiles; the west is cut away, and a disc.
json landscapeRecipe() {
  json tiles = json::array();
  for (int tile = 0; tile < 3; ++tile) {
    RandomStream random(5, RandomPurpose::scatter, static_cast<std::uint64_t>(tile));
    json plants = json::array();
    for (int plant = 0; plant < 9; ++plant) {
      plants.push_back(tilePlant(plant, random.uniform(0.0, 20.0), random.uniform(0.0, 20.0),
                                 random.uniform(0.0, 0.5)));
    }
    const json scatter = {{"firstId", 1},        {"name", "s"},
                          {"class", 1},          {"model", 2},
                          {"count", 6},          {"pattern", "uniform"},
                          {"minSpacingM", 0},    {"areaM", {{0, 0}, {20, 0}, {20, 20}, {0, 20}}},
                          {"yawRad", {0, 6.28}}, {"scale", {0.5, 1}},
                          {"tiltRad", {0, 0.2}}, {"keepClear", json::array()}};
    tiles.push_back({{"plants", plants}, {"scatters", {scatter}}});
  }
  json tileOf = json::array();
  for (int square = 0; square < 100; ++square) tileOf.push_back(square % 7 == 6 ? -1 : square % 3);
  json ground = {{"id", 1},
                 {"name", "ground"},
                 {"class", 0},
                 {"model", 0},
                 {"positionM", {0, 0, 0}},
                 {"onGround", false},
                 {"rotation", {0, 0, 0, 1}},
                 {"scale", 1}};
  const auto model = [](const char* name, json source) {
    source["material"] = 0;
    return json{{"name", name}, {"solid", "all"}, {"source", std::move(source)}};
  };
  return {{"seed", 3},
          {"materials", {{{"name", "m"}, {"reflectance", 0.5}, {"colourRgb", {1, 0, 0}}}}},
          {"classes", {"thing", "copy"}},
          {"models",
           {model("ground", {{"kind", "height-field"},
                             {"columns", posts},
                             {"rows", posts},
                             {"originM", {0, 0}},
                             {"stepM", {5, 5}}}),
            model("box", {{"kind", "box"}, {"sizeM", {1.5, 2, 6}}}),
            model("ball", {{"kind", "sphere"}, {"radiusM", 1.3}, {"rings", 12}})}},
          {"instances", {ground}},
          {"scatters", json::array()},
          {"landscapes",
           {{{"name", "wood"},
             {"firstId", 10},
             {"seed", 3},
             {"cornerM", {0, 0}},
             {"sideM", 20},
             {"columns", 10},
             {"rows", 10},
             {"plantsPerSquare", 15},
             {"tiles", tiles},
             {"tileOf", tileOf},
             {"areaM", {{33, 0}, {200, 0}, {200, 200}, {33, 200}}},
             {"keepClear", {{{"centreM", {100, 100}}, {"radiusM", 25}}}}}}},
          {"ground", 0}};
}

Scene landscapeScene() { return assembleScene(landscapeRecipe(), roughGround(), {}); }

// The same with an instance for each plant.
Scene instancedScene() {
  Scene scene = landscapeScene();
  const Landscape landscape = std::move(scene.landscapes.front());
  scene.landscapes.clear();
  for (std::uint32_t square = 0; square < landscape.squares(); ++square) {
    landscape.forEachPlantOf(square, [&](PlantIndices place) {
      const TilePlant& plant = landscape.plantAt(place);
      scene.instances.push_back({landscape.idOf(landscape.numberOf(place)), plant.model,
                                 plant.classId, landscape.positionOf(place, scene.groundHeightM),
                                 plant.rotation, plant.scale});
    });
  }
  return scene;
}

std::unique_ptr<const TracedScene> traced(Scene scene) {
  return std::make_unique<const TracedScene>(testDevice(), std::move(scene), Watch{});
}

PathRay randomRay(RandomStream& random) {
  const Vec3f originM = toFloat(
      {random.uniform(-20.0, 220.0), random.uniform(-20.0, 220.0), random.uniform(0.0, 120.0)});
  const Vec3f towards = toFloat(
      {random.uniform(0.0, 200.0), random.uniform(0.0, 200.0), random.uniform(-20.0, 80.0)});
  return {originM, normalized(towards - originM)};
}

std::string refusalOfLandscape(const json& recipe) {
  try {
    assembleScene(recipe, roughGround(), {});
  } catch (const UnderstoryError& error) {
    return error.what();
  }
  return "was accepted";
}

}  // namespace

TEST_CASE("rays meet plants of a landscape where they meet an instance for each") {
  const auto tiled = traced(landscapeScene());
  const auto instanced = traced(instancedScene());
  const SceneTruth ofTiled = tiled->truth();
  const SceneTruth ofInstanced = instanced->truth();
  RandomStream random(11, RandomPurpose::scatter, 0);
  std::size_t plants = 0;
  std::size_t others = 0;
  std::set<std::uint32_t> ids;
  for (int number = 0; number < 20'000; ++number) {
    const PathRay ray = randomRay(random);
    const FacetHit own = tiled->sources().nearest(ray, 0.0F, 1000.0F);
    const FacetHit expected = instanced->sources().nearest(ray, 0.0F, 1000.0F);
    // Rounding decides at edges of facets.
    if (own.isHit != expected.isHit || std::abs(own.rangeM - expected.rangeM) > 2e-4F) {
      ++others;
      continue;
    }
    if (!own.isHit) continue;
    const std::uint32_t id = ofTiled.instances.idOf(own.instance);
    REQUIRE(id == ofInstanced.instances.idOf(expected.instance));
    CHECK(ofTiled.instances[own.instance].classId ==
          ofInstanced.instances[expected.instance].classId);
    if (id < 10) continue;
    ++plants;
    ids.insert(id);
    const Vec3f normal = normalized(ofTiled.instances[own.instance].inWorld(own.facet));
    const Vec3f wanted =
        normalized(ofInstanced.instances[expected.instance].inWorld(expected.facet));
    if (own.primitive == expected.primitive) CHECK(length(toDouble(normal - wanted)) < 1e-5);
    CHECK(tiled->scene().instanceAt(own.instance).id == id);
  }
  CHECK(others <= 10);
  CHECK(plants > 2000);
  CHECK(ids.size() > 400);
}

TEST_CASE("packets of rays meet plants of a landscape as single rays do") {
  const auto scene = traced(landscapeScene());
  RandomStream random(12, RandomPurpose::scatter, 0);
  std::size_t met = 0;
  for (int packet = 0; packet < 500; ++packet) {
    alignas(64) std::array<std::array<float, 16>, 6> values{};
    const PathRay first = randomRay(random);
    for (std::size_t lane = 0; lane < 16; ++lane) {
      const Vec3f turn = toFloat(
          {random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1)});
      const Vec3f direction = normalized(first.direction + turn);
      values[0][lane] = first.originM.x;
      values[1][lane] = first.originM.y;
      values[2][lane] = first.originM.z;
      values[3][lane] = direction.x;
      values[4][lane] = direction.y;
      values[5][lane] = direction.z;
    }
    const auto compare = [&](auto hits) {
      constexpr std::size_t width = std::tuple_size_v<decltype(hits.rangeM)>;
      hits.rangeM.fill(1000.0F);
      hits.instance.fill(noInstance);
      const RayLanes lanes{values[0].data(), values[1].data(), values[2].data(),
                           values[3].data(), values[4].data(), values[5].data()};
      scene->landscapes().nearest(lanes, width, hits);
      for (std::size_t lane = 0; lane < width; ++lane) {
        const PathRay ray{first.originM, {values[3][lane], values[4][lane], values[5][lane]}};
        const FacetHit alone = scene->landscapes().nearest(ray, minHitM(ray.originM), 1000.0F);
        const FacetHit own = hits.at(lane);
        CHECK(own.isHit == alone.isHit);
        if (!own.isHit || !alone.isHit) continue;
        ++met;
        CHECK(own.rangeM == doctest::Approx(alone.rangeM).epsilon(1e-5));
        CHECK(own.instance == alone.instance);
      }
    };
    compare(PacketHits<4>{});
    if (packetWidth(bestIsa()) >= 8) compare(PacketHits<8>{});
    if (packetWidth(bestIsa()) >= 16) compare(PacketHits<16>{});
  }
  CHECK(met > 1000);
}

TEST_CASE("plants outside of the area and in exclusion zones are left out, and counted so") {
  const Scene scene = landscapeScene();
  const Landscape& landscape = scene.landscapes.front();
  std::uint64_t placed = 0;
  std::uint64_t leftOut = 0;
  for (std::uint32_t square = 0; square < landscape.squares(); ++square) {
    const bool hasTile = square % 7 != 6;
    const auto count = static_cast<std::uint32_t>(landscape.plantsOf(square).size());
    if (!hasTile) CHECK(count == 0);
    for (std::uint32_t plant = 0; plant < count; ++plant) {
      const Vec3d positionM = landscape.positionOf({square, plant}, scene.groundHeightM);
      const bool isInside =
          positionM.x > 33.0 && std::hypot(positionM.x - 100.0, positionM.y - 100.0) >= 25.0;
      CHECK(landscape.isLeftOut({square, plant}) == !isInside);
      ++(isInside ? placed : leftOut);
      const double groundM = scene.groundHeightM(positionM.x, positionM.y);
      CHECK(positionM.z == doctest::Approx(groundM + (plant < 9 ? 0.2 : 0.0)));
    }
  }
  CHECK(leftOut > 50);
  CHECK(scene.countInstances() == placed + 1);
  const json summary = summariseScene(scene);
  CHECK(summary.at("instances") == placed + 1);
  CHECK(summary.at("models")[1].at("instances").get<std::uint64_t>() +
            summary.at("models")[2].at("instances").get<std::uint64_t>() ==
        placed);
}

TEST_CASE("voxels of a landscape have the areas of its plants") {
  const auto areasOf = [](const TracedScene& scene) {
    const VoxelSpace grid{{40.0, 40.0, -20.0}, {10.0, 10.0, 20.0}, {12, 12, 6}};
    return voxelTruth(scene, grid, Watch{}).sumM2;
  };
  const auto plantModels = [](Scene scene) {
    for (Model& model : scene.models) model.isPlant = model.name != "ground";
    return traced(std::move(scene));
  };
  const auto own = areasOf(*plantModels(landscapeScene()));
  const auto expected = areasOf(*plantModels(instancedScene()));
  CHECK(own[0] > 100.0);
  CHECK(own[0] == doctest::Approx(expected[0]).epsilon(1e-9));
}

TEST_CASE("the hash of a scene depends on every part of a landscape") {
  const std::string before = landscapeScene().hash;
  const auto hashWith = [](const auto& change) {
    json recipe = landscapeRecipe();
    change(recipe["landscapes"][0]);
    return assembleScene(recipe, roughGround(), {}).hash;
  };
  CHECK(before == landscapeScene().hash);
  CHECK(before != hashWith([](json& landscape) { landscape["tileOf"][5] = 1; }));
  CHECK(before != hashWith([](json& landscape) { landscape["firstId"] = 11; }));
  CHECK(before != hashWith([](json& landscape) { landscape["seed"] = 4; }));
  CHECK(before != hashWith([](json& landscape) { landscape["keepClear"][0]["radiusM"] = 24.0; }));
  CHECK(before !=
        hashWith([](json& landscape) { landscape["tiles"][0]["plants"][0]["scale"] = 0.9; }));
}

TEST_CASE("invalid landscapes are refused") {
  json recipe = landscapeRecipe();
  recipe["landscapes"][0]["tileOf"].erase(0);
  CHECK(refusalOfLandscape(recipe).find(
            "landscapes[0].tileOf: expected a number for each of 100 squares") !=
        std::string::npos);
  recipe = landscapeRecipe();
  recipe["landscapes"][0]["tileOf"][3] = 3;
  CHECK(refusalOfLandscape(recipe).find("landscapes[0].tileOf: expected indices of tiles, or -1") !=
        std::string::npos);
  recipe = landscapeRecipe();
  recipe["landscapes"][0]["plantsPerSquare"] = 14;
  CHECK(refusalOfLandscape(recipe).find(
            "landscapes[0].tiles[0]: expected at most plantsPerSquare plants") !=
        std::string::npos);
  recipe = landscapeRecipe();
  recipe["landscapes"][0]["tiles"][1]["plants"][2]["positionM"] = {3.0, 20.5, 0.0};
  CHECK(refusalOfLandscape(recipe).find(
            "landscapes[0].tiles[1]: expected plants from 0 to sideM") != std::string::npos);
  recipe = landscapeRecipe();
  recipe["landscapes"][0]["firstId"] = 4'294'967'295U - 1499U;
  CHECK(refusalOfLandscape(recipe) == "was accepted");
  recipe["landscapes"][0]["firstId"] = 4'294'967'295U - 1498U;
  CHECK(refusalOfLandscape(recipe).find("expected ids of at most 4294967295") != std::string::npos);
  recipe = landscapeRecipe();
  recipe["models"][1]["sways"] = true;
  recipe["wind"] = {{"speedMPerS", 5}, {"towardsRad", 0}, {"topM", 0.1},
                    {"maxLean", 0.3},  {"gusts", 0.5},    {"frequencyHz", 2}};
  CHECK(refusalOfLandscape(recipe).find("model 'box' sways in the wind") != std::string::npos);
}
