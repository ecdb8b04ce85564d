// Leaf area density by height: which of the leaves that twigs could bear a plant has.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/plants/leaf.h"
#include "core/scene/foliage.h"

namespace understory {

// (height in m, density in m²/m³) in order of height, linear between; zero outside.
using LeafProfile = std::vector<std::array<double, 2>>;

// Mean density of a profile between two heights.
double meanDensity(const LeafProfile& profile, double fromM, double toM);

struct ChosenLeaves {
  std::vector<LeafShape> leaves;  // in the order of the candidates
  Foliage crown;                  // of all candidates
};

// As many of `candidates` as give each layer of their crown the profile's density, drawn at random. Throws 'bad-input'
// where a layer's candidates have less area than the profile asks.
ChosenLeaves chooseLeaves(const std::vector<LeafShape>& candidates, const LeafProfile& profile,
                          std::uint32_t trianglesPerLeaf, std::uint64_t seed);

}  // namespace understory
