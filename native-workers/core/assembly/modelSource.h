// Makes the triangles of one model from its source in the recipe: a primitive, a height field, a plant
// or a mesh file. A new kind of source: its data in modelRecipe.h, and a case in both functions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/assembly/modelRecipe.h"
#include "core/scene/heightField.h"
#include "core/scene/meshBuilder.h"
#include "core/scene/readers/meshFile.h"
#include "core/watch.h"

namespace understory {

struct ModelTriangles {
  MeshBuilder builder;
  std::uint32_t blades = 0;        // grass patches only
  std::int32_t barkMaterial = -1;  // plants only: what is solid of them
  Foliage foliage{};  // plants only; without layers where they have no leaves of their own material
  std::shared_ptr<const LearnedModel> learned{};  // files of learned models only
  std::shared_ptr<const VoxelModel> voxels{};     // files of voxel models only
  std::string volumeHash{};                       // of the bytes of either
  std::uint16_t volumeMaterial = 0;               // of their elements or leaves
};

// How many triangles a source will have, before it is made: exact for primitives and height fields, an
// estimate for plants, and for mesh files from their size. Throws 'not-found' and 'io' for a mesh file.
std::uint64_t predictTriangles(const ModelSource& source);

// Throws 'not-found', 'io' and 'cancelled'.
MeshFileBytes loadModelFile(const MeshSource& source, const Watch& watch);

// Triangles in the model's frame. `heightsM`: the payload of the call, for a height field; `file`: what
// loadModelFile read, for a mesh, otherwise null.
// Throws 'bad-input' for heights or a file that are not as the recipe says, 'cancelled', and as the plant
// generators do.
ModelTriangles makeModelTriangles(const ModelSource& source, std::span<const float> heightsM,
                                  const MeshFileBytes* file, const Watch& watch);

// The grid of a height field. Throws 'bad-input' when `heightsM` has another length or holds a height that
// is not finite.
HeightField heightFieldOf(const HeightFieldSource& source, std::span<const float> heightsM);

}  // namespace understory
