// Measures of a mesh: area, signed volume, and whether it is closed.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>

#include "core/scene/scene.h"

namespace understory {

inline std::array<Vec3d, 3> cornersOf(const Mesh& mesh, std::size_t triangle) {
  const auto& [a, b, c] = mesh.triangles[triangle];
  return {toDouble(mesh.vertices[a]), toDouble(mesh.vertices[b]), toDouble(mesh.vertices[c])};
}

// Equal bit by bit.
inline bool isSame(const Mesh& a, const Mesh& b) {
  return a.vertices.size() == b.vertices.size() && a.triangles == b.triangles &&
         a.materialOfTriangle == b.materialOfTriangle &&
         std::memcmp(a.vertices.data(), b.vertices.data(), a.vertices.size() * sizeof(Vec3f)) == 0;
}

inline double areaM2(const Mesh& mesh) {
  double sum = 0.0;
  for (std::size_t index = 0; index < mesh.triangles.size(); ++index) {
    const auto [a, b, c] = cornersOf(mesh, index);
    sum += 0.5 * length(cross(b - a, c - a));
  }
  return sum;
}

// Divergence theorem: positive for a closed mesh whose normals point outwards.
inline double volumeM3(const Mesh& mesh) {
  double sum = 0.0;
  for (std::size_t index = 0; index < mesh.triangles.size(); ++index) {
    const auto [a, b, c] = cornersOf(mesh, index);
    sum += dot(a, cross(b, c)) / 6.0;
  }
  return sum;
}

// Every edge is met exactly once in each direction.
inline bool isClosed(const Mesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const auto& triangle : mesh.triangles) {
    for (std::size_t corner = 0; corner < 3; ++corner) {
      ++edges[{triangle[corner], triangle[(corner + 1) % 3]}];
    }
  }
  for (const auto& [edge, count] : edges) {
    const auto back = edges.find({edge.second, edge.first});
    if (count != 1 || back == edges.end() || back->second != 1) return false;
  }
  return true;
}

}  // namespace understory
