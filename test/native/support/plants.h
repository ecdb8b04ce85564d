// Plants of tests: parameters as in a plant file, with the heading that every file has.
#pragma once

#include <nlohmann/json.hpp>

#include "core/fieldReader.h"
#include "core/plants/plants.h"

inline nlohmann::json withHeading(nlohmann::json parameters) {
  parameters["understoryPlant"] = 1;
  parameters["id"] = "plant";
  parameters["name"] = "Plant";
  parameters["seed"] = 1;
  return parameters;
}

inline const understory::MaterialIndices plantMaterials{{"grass", 0}, {"leaf", 1}, {"bark", 2}};

// A patch of 100 blades.
inline nlohmann::json grass() {
  return {{"generator", "grass-patch"},
          {"blades", 100},
          {"patchRadiusM", 0.4},
          {"heightM", {0.3, 0.85}},
          {"widthM", {0.007, 0.014}},
          {"leanDeg", {2, 40}},
          {"bendDeg", {15, 95}},
          {"segments", 22},
          {"foldDeg", 50},
          {"material", "grass"}};
}

inline understory::Plant plantOf(const nlohmann::json& parameters) {
  return understory::readObject(withHeading(parameters), "plant", understory::readPlant);
}
