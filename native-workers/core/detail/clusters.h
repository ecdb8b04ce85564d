// Corners of a part gathered into clusters, and the triangles that are left between them (Rossignac & Borrel 1993).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/detail/partCorners.h"

namespace understory {

struct Clustered {
  std::vector<std::uint32_t> clusterOf;  // of each corner of the part
  std::vector<Vec3d> places;             // of each cluster
};

struct ClusteredTriangles {
  std::vector<std::array<std::uint32_t, 3>> triangles;  // of clusters
  std::vector<std::uint16_t> materials;
};

// The remaining triangles: those with three clusters, each once.
ClusteredTriangles trianglesBetween(const PartCorners& corners, const Clustered& clustered);

double areaOf(const Clustered& clustered, const ClusteredTriangles& left);

// Adds them to `mesh`, within the bounds.
void addClustered(const Boundsf& bounds, const Clustered& clustered, const ClusteredTriangles& left,
                  Mesh& mesh);

}  // namespace understory
