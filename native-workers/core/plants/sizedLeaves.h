// The leaves of a sized plant: flat, at angles of a law, of a stated area in all, along its twigs.
#pragma once

#include <cstdint>
#include <vector>

#include "core/plants/sizedSkeleton.h"
#include "core/scene/meshBuilder.h"

namespace understory {

struct FlatLeaf {
  Vec3d baseM;
  Vec3d direction;  // unit, from base to tip
  Vec3d normal;     // unit, perpendicular to it
  double size = 1.0;
  double slenderness = 1.0;  // longer by this and narrower, of the same area
};

// Area of a leaf of size 1.
double flatLeafAreaM2(const SizedLeaves& leaves);

// Corners of a leaf in order; 4 of a kite, 6 of a hexagon.
std::vector<Vec3d> flatLeafCorners(const FlatLeaf& leaf, const SizedLeaves& leaves);

// Adds the triangles of a leaf by its corners.
void addFlatLeaf(MeshBuilder& builder, const std::vector<Vec3d>& corners, std::uint16_t material);

std::uint64_t countSizedLeaves(const SizedPlantParameters& plant);

// Leaves of leafAreaM2 along the last order of branches and the ends of the order before.
std::vector<FlatLeaf> growSizedLeaves(const SizedPlantParameters& plant,
                                      const std::vector<SizedWood>& woods, std::uint64_t seed);

// Those that the plant bears: leafShare of the area.
std::vector<FlatLeaf> borneLeaves(const SizedPlantParameters& plant,
                                  const std::vector<FlatLeaf>& leaves, std::uint64_t seed);

}  // namespace understory
