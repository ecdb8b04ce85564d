// Collects triangles into a Mesh, leaving out and counting those without area.
// Why: Embree's robust mode misjudges triangles whose corners lie on one line.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/scene/polygon.h"
#include "core/scene/scene.h"
#include "core/watch.h"

namespace understory {

// True for a triangle with a corner that is not finite, or whose height over its longest edge is below
// a millionth of that edge: single-precision corners cannot say on which side of the line it lies.
bool isDegenerate(Vec3f a, Vec3f b, Vec3f c);

struct MeshBuilder {
  Mesh mesh;
  std::optional<Vec3d> centreM;  // of a mesh file: taken off its coordinates in double precision
  std::size_t degenerateTriangles = 0;
  std::size_t nonPlanarFaces = 0;         // polygons, as polygon.h says
  std::size_t selfIntersectingFaces = 0;  // polygons
  Meter* meter = nullptr;                 // of generators: follows the triangles added

  // Index of the new vertex. Throws 'bad-input' when 32-bit indices run out.
  std::uint32_t addVertex(Vec3f positionM);
  std::uint32_t addVertex(Vec3d positionM) { return addVertex(toFloat(positionM)); }

  // Corners counter-clockwise as seen from outside. Counts and drops the triangle when degenerate or
  // when two of its indices are the same; every index must be of an added vertex. Throws 'cancelled'
  // where a meter cancels.
  void addTriangle(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint16_t material);

  // Three corners or more in order; concave polygons become the triangles inside them. False, and nothing is added,
  // where it is concave and has more than maxConcaveCorners. With `paint`, an index of mesh.textures.paints,
  // `coordinates` has one for each corner.
  bool addPolygon(std::span<const std::uint32_t> corners, std::uint16_t material,
                  std::uint16_t paint = Paint::none, std::span<const Vec2f> coordinates = {});

 private:
  void paintLast(std::uint16_t paint, const std::array<Vec2f, 3>& coordinates);

  std::vector<Vec3f> polygon_;  // reused
  Triangulation triangulation_;
};

// Bounds of the vertices that triangles use; empty for a mesh without triangles.
Boundsf boundsOf(const Mesh& mesh);

}  // namespace understory
