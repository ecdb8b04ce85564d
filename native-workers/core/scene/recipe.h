// The scene recipe (src-main/contract/worker/recipe.ts) as plain data. Numbers and indices are checked here, so
// that everything after may trust them.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/scene/scene.h"

namespace understory {

enum class Solid { all, wood, none };

struct ModelRecipe {
  std::string name;
  Solid solid = Solid::all;
  nlohmann::json source;  // ModelSource; modelSource.cpp reads it by its kind
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

struct SceneRecipe {
  std::uint64_t seed = 1;
  std::vector<Material> materials;
  std::vector<std::string> classes;
  std::vector<ModelRecipe> models;
  std::vector<InstanceRecipe> instances;
  std::vector<ScatterRecipe> scatters;
  std::int32_t ground = -1;  // index in instances
  Atmosphere atmosphere;
  std::uint32_t mirrorDepth = 4;
};

// Throws 'bad-input' naming the first thing that is missing, of the wrong type or out of range.
SceneRecipe parseSceneRecipe(const nlohmann::json& recipe);

}  // namespace understory
