// Reads materials and atmosphere of a scene recipe (src-main/contract/worker/recipe.ts).
#pragma once

#include "core/fieldReader.h"
#include "core/optics/atmosphere.h"
#include "core/optics/material.h"

namespace understory {

// Both throw UnderstoryError 'bad-input' with the path of what is not as the contract says.
Material parseMaterial(FieldReader& value);
Atmosphere parseAtmosphere(FieldReader& value);

}  // namespace understory
