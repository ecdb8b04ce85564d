// The stems of a tree by Weber and Penn, "Creation and Rendering of Realistic Trees", SIGGRAPH 1995:
// trunk, and orders of branches whose numbers, lengths, angles and bends follow from a few parameters
// for each order. Without stem splits; bends vary about both cross axes.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/plants/stem.h"

namespace understory {

// How long branches on the trunk are by height: ShapeRatio of Weber and Penn, section 4.3.
enum class CrownShape { conical, spherical, hemispherical, cylindrical, tapered, flame };

// One order of branches; the trunk uses the bends only.
struct BranchOrder {
  std::uint32_t branches = 0;  // on the longest parent
  double lengthRatio = 0.0;
  double lengthVariation = 0.0;
  double downAngleRad = 0.0;
  double downAngleVariationRad = 0.0;  // negative: by position along the parent instead of at random
  double rotateRad = 0.0;
  double rotateVariationRad = 0.0;
  double curveRad = 0.0;
  double curveVariationRad = 0.0;
  std::uint32_t segments = 1;
  std::uint32_t sides = 3;
};

struct TreeParameters {
  double heightM = 0.0;
  double trunkRadiusM = 0.0;
  double crownBaseM = 0.0;
  CrownShape crownShape = CrownShape::spherical;
  double flare = 0.0;
  double ratioPower = 1.2;
  double attractionUp = 0.0;
  std::vector<BranchOrder> orders;  // [0]: the trunk
};

// Reads the parameters of a tree file; JSON errors pass through, ranges throw 'bad-input'.
TreeParameters parseTree(const nlohmann::json& plant);

// All stems, the trunk first, then order by order; the last order are the twigs.
std::vector<Stem> growSkeleton(const TreeParameters& tree, std::uint64_t seed);

}  // namespace understory
