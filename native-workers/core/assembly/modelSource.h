// Makes the triangles of one model from its source in the recipe: a primitive, a height field, a plant
// or a mesh file. A new kind of source gets its line in both functions.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "core/scene/heightField.h"
#include "core/scene/meshBuilder.h"
#include "core/scene/readers/meshFile.h"
#include "core/scene/recipe.h"
#include "core/watch.h"

namespace understory {

struct ModelTriangles {
  MeshBuilder builder;
  std::uint32_t blades = 0;         // grass patches only
  std::int32_t barkMaterial = -1;  // plants only: what is solid of them
};

// How many triangles a source will have, before it is made: exact for primitives and height fields, an
// estimate for plants, one for each 10 bytes of a mesh file. Throws as makeModelTriangles does.
std::uint64_t predictTriangles(const nlohmann::json& source);

// The file of a source of kind 'mesh'. Throws 'bad-input', 'not-found', 'io' and 'cancelled'.
MeshFileBytes loadModelFile(const nlohmann::json& source, const Watch& watch);

// Triangles in the model's frame. `heightsM`: the payload of the call, for a height field; `file`: what
// loadModelFile read, for a mesh, otherwise null.
// Throws 'bad-input' for parameters out of range, 'cancelled', and as the mesh readers and plant
// generators do.
ModelTriangles makeModelTriangles(const nlohmann::json& source, const SceneRecipe& recipe,
                                  std::span<const float> heightsM, const MeshFileBytes* file,
                                  const Watch& watch);

// The grid of a height-field source. Throws 'bad-input' when `heightsM` has another length or holds a
// height that is not finite.
HeightField parseHeightField(const nlohmann::json& source, std::span<const float> heightsM);

}  // namespace understory
