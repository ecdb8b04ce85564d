// Makes a model's triangles, or recalls them where the same model has been made before. The name of an
// entry is a 128-bit hash of everything that the triangles depend on: the source in the recipe, a mesh
// file's bytes and those of its material files (not their paths), and the code that makes them. So an
// entry is never out of date: what has changed has another name.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "core/scene/meshStore.h"
#include "core/scene/modelSource.h"
#include "core/scene/workWatch.h"

namespace understory {

// Plants and mesh files of at least this many triangles (predicted) are kept. Why: below, making is as
// fast as opening a file, and a thousand little entries serve nobody. Above, reading back takes a sixth
// of the time of growing a tree and a hundredth of that of reading an OBJ.
inline constexpr std::uint64_t leastCachedTriangles = 20'000;

// As makeModelTriangles, through `store`; null: always made.
ModelTriangles cachedModelTriangles(const nlohmann::json& source, const SceneRecipe& recipe,
                                    std::span<const float> heightsM, const MeshStore* store,
                                    const WorkWatch& watch);

}  // namespace understory
