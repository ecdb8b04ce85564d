// A narrow, curved, folded strip: a blade of grass. Its middle line bends in one plane; its halves fold
// along it like a shallow V.
#pragma once

#include <cstdint>

#include "core/scene/meshBuilder.h"

namespace understory {

struct BladeShape {
  Vec3d baseM;
  double azimuthRad = 0.0;  // direction in which it leans and bends
  double lengthM = 0.0;     // along the middle line
  double widthM = 0.0;      // at its widest, a little above the base
  double leanRad = 0.0;     // from the vertical, at the base
  double bendRad = 0.0;     // further from base to tip
  double twistRad = 0.0;    // of the blade's face about its middle line, base to tip
  double foldRad = 0.0;     // between the two halves; 0: flat
  std::uint32_t segments = 22;
};

// Adds exactly 4 * segments triangles.
void addBlade(MeshBuilder& builder, const BladeShape& shape, std::uint16_t material);

}  // namespace understory
