// The source of a model as its recipe has it (src-main/contract/worker/recipe.ts, ModelSource).
#pragma once

#include <nlohmann/json.hpp>

#include "contract/modelRecipe.h"
#include "core/fieldReader.h"

namespace understory {

struct ModelSource {
  ModelShape shape;
  nlohmann::json document;  // as it was read: the identity of what it makes
};

// Throws 'bad-input' with the path of the first field that is missing, unknown or out of bounds.
ModelSource readModelSource(FieldReader& model, const Field& field);

}  // namespace understory
