// Corners of a part, each once.
#include "core/detail/partCorners.h"

#include <algorithm>

namespace understory {

PartCorners cornersOf(const MeshParts& all, const MeshPart& part) {
  PartCorners corners;
  std::vector<std::uint32_t> used;
  used.reserve(3 * std::size_t{part.triangles});
  const auto triangleAt = [&](std::uint32_t at) { return all.order[part.firstTriangle + at]; };
  for (std::uint32_t at = 0; at < part.triangles; ++at) {
    const auto& triangle = all.mesh.triangles[triangleAt(at)];
    used.insert(used.end(), triangle.begin(), triangle.end());
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  corners.places.reserve(used.size());
  for (const std::uint32_t vertex : used) corners.places.push_back(all.mesh.vertices[vertex]);
  corners.triangles.reserve(part.triangles);
  corners.materials.reserve(part.triangles);
  const auto numberOf = [&used](std::uint32_t vertex) {
    return static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), vertex) -
                                      used.begin());
  };
  for (std::uint32_t at = 0; at < part.triangles; ++at) {
    const auto& [a, b, c] = all.mesh.triangles[triangleAt(at)];
    corners.triangles.push_back({numberOf(a), numberOf(b), numberOf(c)});
    corners.materials.push_back(all.mesh.materialOfTriangle[triangleAt(at)]);
  }
  return corners;
}

}  // namespace understory
