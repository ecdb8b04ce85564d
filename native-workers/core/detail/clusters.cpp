// Corners become clusters; triangles within fewer than three of them go.
#include "core/detail/clusters.h"

#include <algorithm>

namespace understory {

ClusteredTriangles trianglesBetween(const PartCorners& corners, const Clustered& clustered) {
  struct Entry {
    std::array<std::uint32_t, 3> sorted;
    std::uint32_t triangle;
  };
  std::vector<Entry> entries;
  for (std::uint32_t at = 0; at < corners.triangles.size(); ++at) {
    const auto& [a, b, c] = corners.triangles[at];
    std::array<std::uint32_t, 3> of{clustered.clusterOf[a], clustered.clusterOf[b],
                                    clustered.clusterOf[c]};
    if (of[0] == of[1] || of[1] == of[2] || of[2] == of[0]) continue;
    std::sort(of.begin(), of.end());
    entries.push_back({of, at});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.sorted != b.sorted ? a.sorted < b.sorted : a.triangle < b.triangle;
  });
  ClusteredTriangles result;
  for (std::size_t at = 0; at < entries.size(); ++at) {
    if (at > 0 && entries[at].sorted == entries[at - 1].sorted) continue;
    const auto& [a, b, c] = corners.triangles[entries[at].triangle];
    result.triangles.push_back(
        {clustered.clusterOf[a], clustered.clusterOf[b], clustered.clusterOf[c]});
    result.materials.push_back(corners.materials[entries[at].triangle]);
  }
  return result;
}

double areaOf(const Clustered& clustered, const ClusteredTriangles& left) {
  double sum = 0.0;
  for (const auto& [a, b, c] : left.triangles) {
    sum += 0.5 * length(cross(clustered.places[b] - clustered.places[a],
                              clustered.places[c] - clustered.places[a]));
  }
  return sum;
}

void addClustered(const Boundsf& bounds, const Clustered& clustered, const ClusteredTriangles& left,
                  Mesh& mesh) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Vec3d& place : clustered.places) {
    const Vec3f at = toFloat(place);
    mesh.vertices.push_back({std::clamp(at.x, bounds.min.x, bounds.max.x),
                             std::clamp(at.y, bounds.min.y, bounds.max.y),
                             std::clamp(at.z, bounds.min.z, bounds.max.z)});
  }
  for (const auto& [a, b, c] : left.triangles) {
    mesh.triangles.push_back({first + a, first + b, first + c});
  }
  mesh.materialOfTriangle.insert(mesh.materialOfTriangle.end(), left.materials.begin(),
                                 left.materials.end());
}

}  // namespace understory
