// The generators of plants; plants.cpp chooses among them by name. Each comes with a count of triangles
// known before it grows; `meter` follows its triangles.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "core/plants/plants.h"

namespace understory {

GrownPlant growGrassPatch(const nlohmann::json& plant, std::uint64_t seed,
                          const MaterialIndices& materials, Meter& meter);
std::uint64_t predictGrassPatch(const nlohmann::json& plant);

GrownPlant growTree(const nlohmann::json& plant, std::uint64_t seed,
                    const MaterialIndices& materials, Meter& meter);
std::uint64_t predictTree(const nlohmann::json& plant);

GrownPlant growShrub(const nlohmann::json& plant, std::uint64_t seed,
                     const MaterialIndices& materials, Meter& meter);
std::uint64_t predictShrub(const nlohmann::json& plant);

// Index of a material by the name a plant uses; throws 'bad-input' naming it when it is missing.
std::uint16_t materialOf(const MaterialIndices& materials, const std::string& name);

inline constexpr double radPerDeg = piRad / 180.0;
// From leaf to leaf and stem to stem: no two of them stand above each other.
inline constexpr double goldenAngleRad = 137.50776405003785 * radPerDeg;

}  // namespace understory
