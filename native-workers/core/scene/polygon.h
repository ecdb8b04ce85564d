// Polygons of three corners and more as triangles: a fan from the first corner where the polygon is convex, otherwise
// ears cut off one by one (Meisters 1975), in the plane of the polygon's mean normal (Newell).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/maths/maths.h"

namespace understory {

// Most corners of a polygon that is not convex. Why a limit: cutting ears takes the square of them.
inline constexpr std::size_t maxConcaveCorners = 4096;

struct Triangulation {
  // Corners of each triangle as positions in the polygon, wound as the polygon: always two fewer than it has corners.
  std::vector<std::array<std::uint32_t, 3>> triangles;
  // Heights of its corners over its plane differ by more than a thousandth of the polygon's greatest extent.
  bool isNonPlanar = false;
  // Edges that are not neighbours meet or cross, or ears ran out: no triangulation has just the polygon's area.
  bool isSelfIntersecting = false;
  // Not convex, and above maxConcaveCorners: there are no triangles.
  bool isTooLarge = false;
};

// `corners`: three or more finite points in order. A polygon may touch itself in single points (a hole joined to
// the outline by a doubled edge): its ears are cut as those of any other. Corners on a line with their neighbours give
// triangles without area. Fills `result`, whose memory is reused.
void triangulate(std::span<const Vec3f> corners, Triangulation& result);

}  // namespace understory
