// Reads materials and atmosphere of a scene recipe (src-main/contract/worker/recipe.ts).
#pragma once

#include <nlohmann/json.hpp>

#include "core/optics/atmosphere.h"
#include "core/optics/material.h"

namespace understory {

// Both throw UnderstoryError 'bad-input' naming what is out of range, or json::exception.
Material parseMaterial(const nlohmann::json& value);
Atmosphere parseAtmosphere(const nlohmann::json& value);

}  // namespace understory
