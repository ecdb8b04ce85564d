// A leaf: an elliptic blade folded a little along its midrib and bent over its length. Shared by the
// generators of plants with leaves.
#pragma once

#include <cstdint>
#include <functional>

#include "core/plants/plants.h"
#include "core/plants/stem.h"
#include "core/random/philox.h"
#include "core/scene/meshBuilder.h"

namespace understory {

struct LeafShape {
  Vec3d baseM;
  Vec3d direction;  // unit, from base to tip at the base
  Vec3d facing;     // of the upper side; need not be perpendicular to direction
  double lengthM = 0.0;
  double widthM = 0.0;
  double bendRad = 0.0;  // over the length, away from the upper side
  bool isFlat = false;   // neither folded nor bent
};

// Adds exactly `triangles` triangles, a multiple of 4.
void addLeaf(MeshBuilder& builder, const LeafShape& shape, std::uint32_t triangles,
             std::uint16_t material);

// leaves.perTwig leaves along a twig from `fromShare` of its length to its tip, in golden-angle order about it, a tenth
// larger or smaller. Their upper sides are turned to the light above; with LeafParameters::angles they are flat, at
// angles of that law and at any azimuth. Calls use(leaf) for each.
void forEachLeafAlong(const Stem& twig, double fromShare, const LeafParameters& leaves,
                      RandomStream& random, const std::function<void(const LeafShape&)>& use);

}  // namespace understory
