// Crossings in double precision: a line that counts is judged by millimetres far from its origin.
#include "learn/triangles.h"

#include <utility>

namespace understory {

Triangles::Triangles(TriangleMesh mesh) : mesh_(std::move(mesh)) {
  std::vector<Boundsf> boxes(mesh_.triangles.size());
  for (std::size_t triangle = 0; triangle < boxes.size(); ++triangle) {
    for (const std::uint32_t corner : mesh_.triangles[triangle]) {
      extend(boxes[triangle], mesh_.verticesM[corner]);
    }
  }
  tree_ = BoxTree(boxes);
}

Vec3d Triangles::normalOf(std::size_t triangle) const {
  const auto& [a, b, c] = mesh_.triangles[triangle];
  const Vec3d from = toDouble(mesh_.verticesM[a]);
  const Vec3d normal =
      cross(toDouble(mesh_.verticesM[b]) - from, toDouble(mesh_.verticesM[c]) - from);
  const double size = length(normal);
  return size > 0.0 ? normal * (1.0 / size) : Vec3d{0.0, 0.0, 1.0};
}

// Möller and Trumbore 1997.
double Triangles::crossing(std::size_t triangle, Vec3d originM, Vec3d direction) const {
  constexpr double none = -1.0;
  const auto& [a, b, c] = mesh_.triangles[triangle];
  const Vec3d from = toDouble(mesh_.verticesM[a]);
  const Vec3d one = toDouble(mesh_.verticesM[b]) - from;
  const Vec3d two = toDouble(mesh_.verticesM[c]) - from;
  const Vec3d p = cross(direction, two);
  const double determinant = dot(one, p);
  if (determinant == 0.0) return none;
  const Vec3d offset = originM - from;
  const double u = dot(offset, p) / determinant;
  if (u < 0.0 || u > 1.0) return none;
  const Vec3d q = cross(offset, one);
  const double v = dot(direction, q) / determinant;
  if (v < 0.0 || u + v > 1.0) return none;
  return dot(two, q) / determinant;
}

}  // namespace understory
