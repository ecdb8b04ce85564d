// Triangles in the order of the surface.
#include "learn/surfaceModel.h"

#include <cmath>

#include "learn/neighbours.h"
#include "learn/parallel.h"

namespace understory {
namespace {

constexpr std::size_t pieceOfTriangles = 256;
// Triangles with fewer returns show no shape of what they hold.
constexpr std::ptrdiff_t minReturnsOfCore = 5;

// The class of the returns of the cell nearest to each triangle's centre.
std::vector<std::uint16_t> classesOf(const Beams& beams, const CellCloud& cloud,
                                     const LearnedSurface& surface, const Watch& watch) {
  std::vector<std::uint16_t> classIds(surface.triangles.size());
  if (beams.classIds.empty() || cloud.size() == 0) return classIds;
  const Neighbours neighbours(cloud.meanM);
  inPieces(
      classIds.size(), pieceOfTriangles, watch, "classes", [&](std::size_t from, std::size_t to) {
        std::vector<Neighbour> near;
        for (std::size_t triangle = from; triangle < to; ++triangle) {
          const auto& [a, b, c] = surface.triangles[triangle];
          const Vec3f centre =
              (surface.verticesM[a] + surface.verticesM[b] + surface.verticesM[c]) * (1.0F / 3.0F);
          neighbours.nearest(centre, 1, near);
          const std::size_t cell = near.front().point;
          classIds[triangle] = classOf(
              beams, cloud.groups.members.data() + cloud.groups.starts[cell], cloud.count(cell));
        }
      });
  return classIds;
}

}  // namespace

LearnedSurface describedSurface(const Beams& beams, const CellCloud& cloud,
                                const Triangles& triangles, const TriangleCounts& counts,
                                bool isPermeable, const Watch& watch) {
  LearnedSurface surface;
  surface.verticesM = triangles.mesh().verticesM;
  surface.triangles = triangles.mesh().triangles;
  const BeamCounts& beamCounts = counts.counts;
  Observations& seen = surface.seen;
  for (std::size_t triangle = 0; triangle < triangles.size(); ++triangle) {
    seen.hits.push_back(beamCounts.wholeHits(triangle));
    seen.misses.push_back(beamCounts.wholeMisses(triangle));
    seen.permeability.push_back(isPermeable ? static_cast<float>(beamCounts.permeability(triangle))
                                            : 0.0F);
    seen.support.push_back(seen.hits.back() + seen.misses.back());
    const double reflectance = counts.reflectance[triangle];
    seen.reflectance.push_back(std::isnan(reflectance) ? 0.5F : surfaceReflectance(reflectance));
    seen.reflectanceSigma.push_back(0.0F);
  }
  seen.classIds = classesOf(beams, cloud, surface, watch);
  return surface;
}

OpaqueCores opaqueTriangles(const Beams& beams, const LearnedSurface& surface,
                            const std::vector<std::uint32_t>& ownerOf, const VolumeOptions& options,
                            const BeamReach& reach, const Watch& watch) {
  const PointGroups owned = groupsOfOwners(ownerOf, surface.triangles.size());
  PointGroups groups;
  std::vector<float> permeability;
  for (std::size_t triangle = 0; triangle < owned.size(); ++triangle) {
    const auto first = owned.members.begin() + static_cast<std::ptrdiff_t>(owned.starts[triangle]);
    const auto last =
        owned.members.begin() + static_cast<std::ptrdiff_t>(owned.starts[triangle + 1]);
    if (last - first < minReturnsOfCore) continue;
    groups.members.insert(groups.members.end(), first, last);
    groups.starts.push_back(groups.members.size());
    permeability.push_back(surface.seen.permeability[triangle]);
  }
  const Ellipsoids ellipsoids(fitGaussians(beams, groups, options.minSigmaM, watch),
                              options.mahalanobisLimit, options.counting);
  return opaqueCores(beams, permeability, ellipsoids, reach, watch);
}

}  // namespace understory
