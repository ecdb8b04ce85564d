// The generators of plants; plants.cpp chooses among them by their parameters. Each comes with a count of triangles
// known before it grows; `meter` follows its triangles.
#pragma once

#include <cstdint>
#include <string>

#include "core/plants/plants.h"

namespace understory {

GrownPlant grow(const GrassPatchParameters& grass, std::uint64_t seed,
                const MaterialIndices& materials, Meter& meter);
std::uint64_t predictTriangles(const GrassPatchParameters& grass);

GrownPlant grow(const TreeParameters& tree, std::uint64_t seed, const MaterialIndices& materials,
                Meter& meter);
std::uint64_t predictTriangles(const TreeParameters& tree);

GrownPlant grow(const ShrubParameters& shrub, std::uint64_t seed, const MaterialIndices& materials,
                Meter& meter);
std::uint64_t predictTriangles(const ShrubParameters& shrub);

GrownPlant grow(const SizedPlantParameters& plant, std::uint64_t seed,
                const MaterialIndices& materials, Meter& meter);
std::uint64_t predictTriangles(const SizedPlantParameters& plant);

// Index of a material by the name a plant uses; throws 'bad-input' naming it when it is missing.
std::uint16_t materialOf(const MaterialIndices& materials, const std::string& name);

// From leaf to leaf and stem to stem: no two of them are above each other.
inline constexpr double goldenAngleRad = 137.50776405003785 * radPerDeg;

}  // namespace understory
