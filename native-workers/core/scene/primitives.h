// Boxes, spheres, cylinders and planes as triangles, as fine as asked. Corners run counter-clockwise seen
// from outside, so geometric normals point outwards; closed shapes share their vertices and are watertight.
#pragma once

#include <cstdint>

#include "core/scene/meshBuilder.h"

namespace understory {

// Centred at the origin; 12 triangles.
MeshBuilder makeBox(Vec3d sizeM, std::uint16_t material);

// Centred at the origin, vertices on the sphere (the facets lie inside it). `rings` facets from pole to
// pole, twice as many around: 4 * rings * (rings - 1) triangles, rings >= 2.
MeshBuilder makeSphere(double radiusM, std::uint32_t rings, std::uint16_t material);

// Upright from z = 0, vertices at the radius; 2 * sides triangles and as many again with caps.
MeshBuilder makeCylinder(double radiusM, double heightM, std::uint32_t sides, bool hasCaps,
                         std::uint16_t material);

// In z = 0, centred at the origin, facing +z; 2 * divisions^2 triangles.
MeshBuilder makePlane(double sizeXM, double sizeYM, std::uint32_t divisions,
                      std::uint16_t material);

}  // namespace understory
