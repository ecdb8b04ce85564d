// The triangles of a part with its own vertices.
#include "core/detail/wholePart.h"

#include <algorithm>

#include "core/detail/partCorners.h"

namespace understory {

void addWholePart(const MeshParts& all, const MeshPart& part, Mesh& mesh) {
  const PartCorners corners = cornersOf(all, part);
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), corners.places.begin(), corners.places.end());
  for (const auto& [a, b, c] : corners.triangles) {
    mesh.triangles.push_back({first + a, first + b, first + c});
  }
  mesh.materialOfTriangle.insert(mesh.materialOfTriangle.end(), corners.materials.begin(),
                                 corners.materials.end());
}

}  // namespace understory
