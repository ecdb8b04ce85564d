// Plants of tests: parameters as in a plant file, with the heading that every file has.
#pragma once

#include <nlohmann/json.hpp>

#include "core/plants/plants.h"

inline nlohmann::json withHeading(nlohmann::json parameters) {
  parameters["understoryPlant"] = 1;
  parameters["id"] = "plant";
  parameters["name"] = "Plant";
  parameters["seed"] = 1;
  return parameters;
}

inline understory::Plant plantOf(const nlohmann::json& parameters) {
  return understory::readObject(withHeading(parameters), "plant", understory::parsePlant);
}
