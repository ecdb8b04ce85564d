// Stems in rings, any other surface by the cells of a grid.
#include "core/detail/largePart.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/detail/clusters.h"
#include "core/detail/stemPart.h"
#include "core/detail/wholePart.h"

namespace understory {
namespace {

// One cluster for each cell that has corners. Its place is the corner farthest out, so that bounds and edges stay.
Clustered inCells(const PartCorners& corners, const Boundsf& bounds, double cellM) {
  const Vec3d from = toDouble(bounds.min);
  const Vec3d size = toDouble(bounds.max) - from;
  const auto outwards = [&](Vec3f corner) {
    const Vec3d at = toDouble(corner) - from;
    const auto share = [](double value, double whole) {
      return whole > 0.0 ? std::abs(2.0 * value / whole - 1.0) : 0.0;
    };
    return std::max({share(at.x, size.x), share(at.y, size.y), share(at.z, size.z)});
  };
  Clustered clustered;
  clustered.clusterOf.reserve(corners.places.size());
  std::unordered_map<std::uint64_t, std::uint32_t> clusterAt;
  std::vector<double> farthest;
  for (const Vec3f& corner : corners.places) {
    const Vec3d at = (toDouble(corner) - from) * (1.0 / cellM);
    const std::uint64_t cell = static_cast<std::uint64_t>(at.x) |
                               static_cast<std::uint64_t>(at.y) << 21U |
                               static_cast<std::uint64_t>(at.z) << 42U;
    const auto [known, isNew] =
        clusterAt.try_emplace(cell, static_cast<std::uint32_t>(clustered.places.size()));
    if (isNew) {
      clustered.places.push_back(toDouble(corner));
      farthest.push_back(outwards(corner));
    } else if (outwards(corner) > farthest[known->second]) {
      clustered.places[known->second] = toDouble(corner);
      farthest[known->second] = outwards(corner);
    }
    clustered.clusterOf.push_back(known->second);
  }
  return clustered;
}

// Twelve triangles around it.
std::size_t addBox(const Boundsf& bounds, std::uint16_t material, Mesh& mesh) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (std::uint32_t corner = 0; corner < 8; ++corner) {
    mesh.vertices.push_back({(corner & 1U) != 0 ? bounds.max.x : bounds.min.x,
                             (corner & 2U) != 0 ? bounds.max.y : bounds.min.y,
                             (corner & 4U) != 0 ? bounds.max.z : bounds.min.z});
  }
  constexpr std::array<std::array<std::uint32_t, 4>, 6> faces{
      {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
  for (const auto& [a, b, c, d] : faces) {
    mesh.triangles.push_back({first + a, first + b, first + c});
    mesh.triangles.push_back({first + a, first + c, first + d});
  }
  mesh.materialOfTriangle.insert(mesh.materialOfTriangle.end(), 12, material);
  return 12;
}

std::size_t addSurface(const MeshParts& all, const MeshPart& part, const PartCorners& corners,
                       std::size_t maxTriangles, Mesh& mesh) {
  Boundsf bounds;
  for (const Vec3f& corner : corners.places) extend(bounds, corner);
  const Vec3f size = bounds.max - bounds.min;
  const double maxLengthM = std::max({size.x, size.y, size.z});
  // Why: a cell that the surface passes has about two triangles.
  double cellM = std::sqrt(2.0 * part.areaM2 / static_cast<double>(maxTriangles));
  cellM = std::max(cellM, maxLengthM / 1e6);
  Clustered best;
  ClusteredTriangles bestResult;
  for (int time = 0; time < 12; ++time) {
    Clustered clustered = inCells(corners, bounds, cellM);
    ClusteredTriangles result = trianglesBetween(corners, clustered);
    const double found = static_cast<double>(result.triangles.size());
    const double wanted = static_cast<double>(maxTriangles);
    if (result.triangles.size() > maxTriangles) {
      cellM *= 1.04 * std::sqrt(found / wanted);
      continue;
    }
    if (result.triangles.size() > bestResult.triangles.size()) {
      best = std::move(clustered);
      bestResult = std::move(result);
    }
    if (found > 0.7 * wanted || time >= 5) break;
    cellM *= std::max(0.5, 1.02 * std::sqrt(std::max(found, 1.0) / wanted));
  }
  if (areaOf(best, bestResult) < 0.3 * part.areaM2) return addBox(bounds, part.material, mesh);
  addClustered(all.bounds, best, bestResult, mesh);
  return bestResult.triangles.size();
}

}  // namespace

std::size_t addLargePart(const MeshParts& all, const MeshPart& part, std::size_t maxTriangles,
                         Mesh& mesh) {
  if (part.triangles <= maxTriangles) {
    addWholePart(all, part, mesh);
    return part.triangles;
  }
  const PartCorners corners = cornersOf(all, part);
  if (isStem(part)) {
    const std::size_t added = addStem(all, part, corners, maxTriangles, mesh);
    if (added > 0) return added;
  }
  return addSurface(all, part, corners, maxTriangles, mesh);
}

}  // namespace understory
