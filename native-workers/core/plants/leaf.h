// A leaf: an elliptic blade folded a little along its midrib and bent over its length. Shared by the
// generators of plants with leaves.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/plants/plants.h"
#include "core/plants/stem.h"
#include "core/random/philox.h"
#include "core/scene/meshBuilder.h"

namespace understory {

// The `leaves` of a plant file.
struct LeafParameters {
  std::uint32_t perTwig = 1;
  double lengthM = 0.1;
  double widthM = 0.05;
  std::uint32_t triangles = 8;  // a multiple of 4
  double bendRad = 0.0;
  std::uint16_t material = 0;
};

// Reads them; JSON errors pass through, ranges and unknown materials throw 'bad-input'.
LeafParameters parseLeaves(const nlohmann::json& leaves, const MaterialIndices& materials);

struct LeafShape {
  Vec3d baseM;
  Vec3d direction;  // unit, from base to tip at the base
  Vec3d facing;     // of the upper side; need not be perpendicular to direction
  double lengthM = 0.0;
  double widthM = 0.0;
  double bendRad = 0.0;  // over the length, away from the upper side
};

// Adds exactly `triangles` triangles, a multiple of 4.
void addLeaf(MeshBuilder& builder, const LeafShape& shape, std::uint32_t triangles,
             std::uint16_t material);

// Adds leaves.perTwig leaves along a twig from `fromShare` of its length to its tip, in golden-angle
// order about it, a tenth larger or smaller, their upper sides turned to the light above.
void addLeavesAlong(MeshBuilder& builder, const Stem& twig, double fromShare,
                    const LeafParameters& leaves, RandomStream& random);

}  // namespace understory
