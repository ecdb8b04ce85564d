// A stem of any order - trunk, branch, twig - as a chain of points with radii, and its wood as a
// generalized cylinder. Shared by the generators of woody plants.
#pragma once

#include <cstdint>
#include <vector>

#include "core/scene/meshBuilder.h"

namespace understory {

// Right-handed frame of unit vectors; z runs along the stem.
struct StemFrame {
  Vec3d x{1.0, 0.0, 0.0};
  Vec3d y{0.0, 1.0, 0.0};
  Vec3d z{0.0, 0.0, 1.0};
};

struct StemPoint {
  Vec3d positionM;
  double radiusM = 0.0;
  StemFrame frame;
};

struct Stem {
  std::uint32_t order = 0;  // 0: the trunk
  double lengthM = 0.0;
  std::vector<StemPoint> points;  // from base to tip, evenly along the stem; two or more
};

// The frame after a turn about one of its own axes.
StemFrame turnedAboutX(const StemFrame& frame, double angleRad);
StemFrame turnedAboutY(const StemFrame& frame, double angleRad);
StemFrame turnedAboutZ(const StemFrame& frame, double angleRad);

// The frame whose z is the unit vector `direction`, turned from `frame` by the smallest rotation, so
// that rings along a stem do not twist.
StemFrame turnedTowards(const StemFrame& frame, Vec3d direction);

// The point at a share 0 to 1 of the stem's length; radius and position are interpolated.
StemPoint pointAlong(const Stem& stem, double share);

// Adds rings of `sides` corners at the points and joins them; the tip is one point, the base is open.
// Adds sides * (2 * points - 3) triangles. Normals point outwards.
void addWood(MeshBuilder& builder, const Stem& stem, std::uint32_t sides, std::uint16_t material);

}  // namespace understory
