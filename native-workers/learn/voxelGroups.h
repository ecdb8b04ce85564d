// Returns in groups: those of a voxel, or those of a cluster.
#pragma once

#include <cstdint>
#include <vector>

#include "core/log/beams.h"
#include "core/watch.h"

namespace understory {

// Group g holds the beams members[starts[g]] to members[starts[g + 1] - 1].
struct PointGroups {
  std::vector<std::uint32_t> members;
  std::vector<std::size_t> starts{0};

  std::size_t size() const { return starts.size() - 1; }
};

inline constexpr std::uint32_t noGroup = 0xFFFFFFFFU;

// The cell of a grid through the origin with cells of `sizeM`, as one number that orders cells by z, y, x. Cells within
// 2^20 of the origin have numbers of their own; others have none (false).
struct CellKey {
  std::uint64_t key = 0;
  bool isInside = false;
};
CellKey cellOf(Vec3d pointM, double sizeM);
// The indices of a key along x, y and z.
std::array<std::int32_t, 3> cellIndices(std::uint64_t key);
std::uint64_t cellKey(std::array<std::int32_t, 3> indices);

// The returns among `beams` (all where `chosen` is empty) by voxel; in a voxel in the order of the log. Voxels with
// fewer than `minPoints` are left out. Groups come in the order of their voxels: a pure function of its arguments.
// `cornerM`: a corner of the grid along all axes.
PointGroups groupByVoxel(const Beams& beams, const std::vector<std::uint32_t>& chosen, double sizeM,
                         std::size_t minPoints, const Watch& watch, double cornerM = 0.0);

// The largest voxels that returns are pooled in.
inline constexpr double maxPooledM = 2.0;

// The groups of a Voxel model. Rule `ellipsoid`, the papers': groupByVoxel(). Rule `owner`: the returns that are left out
// there are pooled in voxels of twice the size, and so on up to `maxPooledM`. Why: an end without an element would be a
// pass, and sparse plants would let too much through.
PointGroups groupForModel(const Beams& beams, double sizeM, std::size_t minPoints,
                          CountingRule rule, const Watch& watch);

// The beams of each of so many groups, in their order. `ownerOf`: by beam its group, or noGroup.
PointGroups groupsOfOwners(const std::vector<std::uint32_t>& ownerOf, std::size_t groups);

// The group of each beam; noGroup where it has none.
std::vector<std::uint32_t> groupOfBeam(const PointGroups& groups, std::size_t beams);

// The beams with a return, in order.
std::vector<std::uint32_t> returnsOf(const Beams& beams);

}  // namespace understory
