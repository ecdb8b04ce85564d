// Grows plants: seeded triangles from the parameters of a plant file (src-main/contract/documents/plant.ts).
//
// A new kind of plant: its schema in plant.ts, a line in src-main/contract/native/recipeFiles.ts, its generator beside
// grassPatch.cpp, declared in generators.h.
//
// The same parameters and seed give the same triangles whatever the threads or the run. All maths is
// IEEE double without contraction; sine, cosine and powers are the C library's, so the promise between
// two machines holds for the same C library. The scene's hash tells when it does not.
#pragma once

#include <cstdint>

#include "contract/plantRecipe.h"
#include "core/scene/foliage.h"
#include "core/scene/meshBuilder.h"
#include "core/scene/readers/meshFile.h"

namespace understory {

struct GrownPlant {
  MeshBuilder builder;             // foot on z = 0 at the origin, z up
  std::uint32_t blades = 0;        // grass patches only
  std::int32_t barkMaterial = -1;  // the material of the wood; -1: none of it is wood
  // Foliage of its leaves or blades; without layers where they have the material of the wood.
  Foliage foliage;
};

// `materials`: index of each material that the plant names. Throws 'bad-input' for one that it lacks. Reports phase
// 'growing' in triangles; throws 'cancelled'.
GrownPlant growPlant(const Plant& plant, std::uint64_t seed, const MaterialIndices& materials,
                     const Watch& watch = {});

// About how many triangles it will have, from the counts among its parameters; for refusing a plant
// that would not fit before it grows.
std::uint64_t predictPlantTriangles(const Plant& plant);

}  // namespace understory
