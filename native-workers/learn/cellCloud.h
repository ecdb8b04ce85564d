// Returns thinned to one point a cell of a grid, with the moments of what each cell holds: what normals, sphericity and
// the implicit surface are computed from. Why: a drive leaves thousands of returns within a kernel near its path and a
// few far away; sums over cells cost the same everywhere.
#pragma once

#include <cstdint>
#include <vector>

#include "learn/gaussians.h"

namespace understory {

struct CellCloud {
  PointGroups groups;                // the returns of each cell
  std::vector<Vec3f> meanM;          // of its returns
  std::vector<Symmetric3> scatter;   // Σ (p − mean)(p − mean)ᵀ
  std::vector<Vec3f> towardsSensor;  // mean of the reversed directions of its beams, not unit

  std::size_t size() const { return meanM.size(); }
  std::uint32_t count(std::size_t cell) const {
    return static_cast<std::uint32_t>(groups.starts[cell + 1] - groups.starts[cell]);
  }
};

// Cloud of the returns among `chosen` (all where it is empty), cells along a Morton curve. A pure function of its arguments.
CellCloud thinnedCloud(const Beams& beams, const std::vector<std::uint32_t>& chosen, double cellM,
                       const Watch& watch);

// The normal at each cell: a plane through the cells within `radiusM`, weighted by their returns, by distance and, in
// three rounds, by how far they lie off it; towards the sensor. Where they lie along a line, as the row of one laser does
// whose neighbours are farther than `radiusM`, within twice and four times as much.
std::vector<Vec3f> normalsOf(const CellCloud& cloud, double radiusM, const Watch& watch);

}  // namespace understory
