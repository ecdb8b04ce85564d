// Reading the source of a model.
#include "core/assembly/modelRecipe.h"

namespace understory {

ModelSource readModelSource(FieldReader& model, const Field& field) {
  const nlohmann::json& document = model.any(field);
  return {model.object(field, readModelShape), document};
}

}  // namespace understory
