// A mesh taken apart into its connected parts: leaves, blades and twigs by the thousand, and the few large ones.
// Parts of a mesh from which levels of detail are made (simplify.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/maths/maths.h"
#include "core/scene/scene.h"
#include "core/watch.h"

namespace understory {

// Triangles that lie elsewhere; their owner outlives the view.
struct MeshView {
  std::span<const Vec3f> vertices;
  std::span<const std::array<std::uint32_t, 3>> triangles;
  std::span<const std::uint16_t> materialOfTriangle;
};

// One connected part.
struct MeshPart {
  std::uint32_t firstTriangle = 0;  // in MeshParts::order
  std::uint32_t triangles = 0;
  std::uint16_t material = 0;  // of its first triangle
  bool hasOneMaterial = true;
  double areaM2 = 0.0;
  Vec3f centreM;  // of its area
  Vec3f footM;    // its two ends, far from each other; the lower one …
  Vec3f tipM;     // … and the higher one
  Vec3f facing;   // sum of the triangles' area vectors, m²: none for what is closed
};

struct MeshParts {
  MeshView mesh;
  Boundsf bounds;
  std::vector<std::uint32_t> order;          // triangles, part by part
  std::vector<MeshPart> parts;               // in the order of their first triangles
  std::array<std::uint32_t, 6> outermost{};  // parts that reach the bounds: min and max of x, y, z
};

// The parts that triangles form by their common vertices; where no two triangles share any, as in an STL file, by
// the places of their corners. Throws 'cancelled'.
MeshParts partsOf(const MeshView& mesh, const Watch& watch);

}  // namespace understory
