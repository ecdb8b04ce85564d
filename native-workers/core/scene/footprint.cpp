// The convex hull of triangles, clipped to the heights that stop a vehicle.
#include "core/scene/footprint.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "core/scene/meshBuilder.h"

namespace understory {

namespace {

double turn(Vec2f a, Vec2f b, Vec2f c) {
  return (static_cast<double>(b.x) - a.x) * (static_cast<double>(c.y) - a.y) -
         (static_cast<double>(b.y) - a.y) * (static_cast<double>(c.x) - a.x);
}

// Points of the triangle's outline inside the slab: its corners in there and its edges' crossings.
void appendClipped(const std::array<Vec3f, 3>& corners, float baseM, std::vector<Vec2f>& points) {
  const float fromM = baseM + footprintFromM;
  const float toM = baseM + footprintToM;
  for (std::size_t index = 0; index < 3; ++index) {
    const Vec3f from = corners[index];
    const Vec3f to = corners[(index + 1) % 3];
    if (from.z >= fromM && from.z <= toM) points.push_back({from.x, from.y});
    for (const float level : {fromM, toM}) {
      if ((from.z < level) == (to.z < level)) continue;
      const float share = (level - from.z) / (to.z - from.z);
      points.push_back({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
    }
  }
}

}  // namespace

std::vector<Vec2f> convexHull(std::vector<Vec2f> points) {
  std::sort(points.begin(), points.end(),
            [](Vec2f a, Vec2f b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  std::vector<Vec2f> hull;
  const auto appendChain = [&hull](auto begin, auto end) {
    const std::size_t start = hull.size();
    for (auto point = begin; point != end; ++point) {
      while (hull.size() >= start + 2 &&
             turn(hull[hull.size() - 2], hull[hull.size() - 1], *point) <= 0.0) {
        hull.pop_back();
      }
      hull.push_back(*point);
    }
    hull.pop_back();  // the other chain starts with it
  };
  if (points.empty()) return hull;
  appendChain(points.begin(), points.end());
  appendChain(points.rbegin(), points.rend());
  if (hull.size() < 3) hull.clear();
  return hull;
}

std::vector<Vec2f> footprintOf(const Mesh& mesh, std::int32_t onlyMaterial) {
  const Boundsf bounds = boundsOf(mesh);
  const float baseM = std::min(bounds.min.z, 0.0F);
  std::vector<Vec2f> points;
  for (std::size_t index = 0; index < mesh.triangles.size(); ++index) {
    if (onlyMaterial >= 0 && mesh.materialOfTriangle[index] != onlyMaterial) continue;
    const auto& triangle = mesh.triangles[index];
    appendClipped(
        {mesh.vertices[triangle[0]], mesh.vertices[triangle[1]], mesh.vertices[triangle[2]]}, baseM,
        points);
    // Why: the hull of many triangles is small; folding it in as we go keeps memory bounded.
    constexpr std::size_t foldAt = 1U << 16U;
    if (points.size() > foldAt) {
      std::vector<Vec2f> hull = convexHull(points);
      if (!hull.empty()) points = std::move(hull);
    }
  }
  return convexHull(std::move(points));
}

}  // namespace understory
