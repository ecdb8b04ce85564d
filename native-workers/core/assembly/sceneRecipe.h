// The scene recipe (src-main/contract/worker/recipe.ts) as plain data. Fields, numbers and indices are checked when it
// is read, so that nothing after has to.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/assembly/modelRecipe.h"
#include "core/scene/scene.h"

namespace understory {

struct ModelRecipe {
  std::string name;
  Solid solid = Solid::all;
  bool sways = false;
  ModelSource source;
};

struct InstanceRecipe {
  Instance instance;  // z above the ground below when isOnGround
  bool isOnGround = false;
};

struct KeepClear {
  double xM = 0.0;
  double yM = 0.0;
  double radiusM = 0.0;
};

// Inclusive ranges are [from, to].
struct ScatterRecipe {
  std::string name;
  std::uint32_t firstId = 1;
  std::uint16_t classId = 0;
  std::uint16_t model = 0;
  std::uint32_t count = 0;
  bool isPoissonDisk = false;
  double minSpacingM = 0.0;
  std::vector<std::array<double, 2>> areaM;
  std::array<double, 2> yawRad{};
  std::array<double, 2> scale{1.0, 1.0};
  std::array<double, 2> tiltRad{};
  std::vector<KeepClear> keepClear;
};

struct TileRecipe {
  std::vector<TilePlant> plants;
  std::vector<ScatterRecipe> scatters;  // in the tile
};

struct LandscapeRecipe {
  Landscape grid;  // without tiles, leftOut and bounds
  std::vector<TileRecipe> tiles;
  std::vector<std::array<double, 2>> areaM;
  std::vector<KeepClear> keepClear;
};

struct SceneRecipe {
  std::uint64_t seed = 1;
  std::vector<Material> materials;
  std::vector<std::string> classes;
  std::vector<ModelRecipe> models;
  std::size_t motions = 0;
  std::vector<InstanceRecipe> instances;
  std::vector<ScatterRecipe> scatters;
  std::vector<LandscapeRecipe> landscapes;
  std::int32_t ground = -1;  // index in instances
  Atmosphere atmosphere;
  Weather weather;
  std::optional<Wind> wind;
  std::uint32_t mirrorDepth = 4;
};

// Throws 'bad-input' with the path of the first field that is missing, unknown or out of bounds.
SceneRecipe parseSceneRecipe(const nlohmann::json& recipe);

}  // namespace understory
