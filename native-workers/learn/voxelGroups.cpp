// A sort of (voxel, beam): parallel, and the same always, because no two entries are equal.
#include "learn/voxelGroups.h"

#include <tbb/parallel_sort.h>

#include <cmath>

#include "learn/parallel.h"

namespace understory {
namespace {

constexpr std::int32_t halfCells = 1 << 20;
constexpr std::uint64_t indexMask = (1U << 21U) - 1U;

struct Entry {
  std::uint64_t key;
  std::uint32_t beam;
};

}  // namespace

std::uint64_t cellKey(std::array<std::int32_t, 3> indices) {
  const auto part = [&](std::size_t axis) {
    return static_cast<std::uint64_t>(indices[axis] + halfCells) & indexMask;
  };
  return part(2) << 42U | part(1) << 21U | part(0);
}

std::array<std::int32_t, 3> cellIndices(std::uint64_t key) {
  const auto part = [&](unsigned shift) {
    return static_cast<std::int32_t>(key >> shift & indexMask) - halfCells;
  };
  return {part(0), part(21), part(42)};
}

CellKey cellOf(Vec3d pointM, double sizeM) {
  const std::array parts{pointM.x, pointM.y, pointM.z};
  std::array<std::int32_t, 3> indices{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double cell = std::floor(parts[axis] / sizeM);
    if (!(std::abs(cell) < halfCells)) return {};
    indices[axis] = static_cast<std::int32_t>(cell);
  }
  return {cellKey(indices), true};
}

PointGroups groupByVoxel(const Beams& beams, const std::vector<std::uint32_t>& chosen, double sizeM,
                         std::size_t minPoints, const Watch& watch, double cornerM) {
  const Vec3d corner{cornerM, cornerM, cornerM};
  const std::vector<std::uint32_t> all =
      chosen.empty() ? returnsOf(beams) : std::vector<std::uint32_t>{};
  const std::vector<std::uint32_t>& members = chosen.empty() ? all : chosen;
  constexpr std::uint64_t outside = ~std::uint64_t{0};
  std::vector<Entry> entries(members.size());
  inPieces(members.size(), pieceOfBeams, watch, "voxels", [&](std::size_t from, std::size_t to) {
    for (std::size_t at = from; at < to; ++at) {
      const CellKey cell = cellOf(beams.endM(members[at]) - corner, sizeM);
      entries[at] = {cell.isInside ? cell.key : outside, members[at]};
    }
  });
  tbb::parallel_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.key != b.key ? a.key < b.key : a.beam < b.beam;
  });
  watch.throwIfCancelled();
  PointGroups groups;
  groups.members.reserve(entries.size());
  for (std::size_t from = 0; from < entries.size();) {
    std::size_t to = from + 1;
    while (to < entries.size() && entries[to].key == entries[from].key) ++to;
    if (to - from >= minPoints && entries[from].key != outside) {
      for (std::size_t at = from; at < to; ++at) groups.members.push_back(entries[at].beam);
      groups.starts.push_back(groups.members.size());
    }
    from = to;
  }
  return groups;
}

PointGroups groupForModel(const Beams& beams, double sizeM, std::size_t minPoints,
                          CountingRule rule, const Watch& watch) {
  PointGroups groups = groupByVoxel(beams, {}, sizeM, minPoints, watch);
  for (double pooledM = 2.0 * sizeM; rule == CountingRule::owner && pooledM <= maxPooledM;
       pooledM *= 2.0) {
    const std::vector<std::uint32_t> ownerOf = groupOfBeam(groups, beams.size());
    std::vector<std::uint32_t> left;
    for (std::uint32_t beam = 0; beam < beams.size(); ++beam) {
      if (beams.isReturn(beam) && ownerOf[beam] == noGroup) left.push_back(beam);
    }
    if (left.size() < minPoints) break;
    const PointGroups pooled = groupByVoxel(beams, left, pooledM, minPoints, watch);
    const std::size_t before = groups.members.size();
    groups.members.insert(groups.members.end(), pooled.members.begin(), pooled.members.end());
    for (std::size_t group = 1; group <= pooled.size(); ++group) {
      groups.starts.push_back(before + pooled.starts[group]);
    }
  }
  return groups;
}

PointGroups groupsOfOwners(const std::vector<std::uint32_t>& ownerOf, std::size_t groups) {
  PointGroups owned;
  owned.starts.resize(groups + 1);
  for (const std::uint32_t owner : ownerOf) {
    if (owner != noGroup) ++owned.starts[owner + 1];
  }
  for (std::size_t group = 0; group < groups; ++group)
    owned.starts[group + 1] += owned.starts[group];
  std::vector<std::size_t> next = owned.starts;
  owned.members.resize(owned.starts.back());
  for (std::size_t beam = 0; beam < ownerOf.size(); ++beam) {
    if (ownerOf[beam] != noGroup)
      owned.members[next[ownerOf[beam]]++] = static_cast<std::uint32_t>(beam);
  }
  return owned;
}

std::vector<std::uint32_t> groupOfBeam(const PointGroups& groups, std::size_t beams) {
  std::vector<std::uint32_t> owner(beams, noGroup);
  for (std::size_t group = 0; group < groups.size(); ++group) {
    for (std::size_t at = groups.starts[group]; at < groups.starts[group + 1]; ++at) {
      owner[groups.members[at]] = static_cast<std::uint32_t>(group);
    }
  }
  return owner;
}

std::vector<std::uint32_t> returnsOf(const Beams& beams) {
  std::vector<std::uint32_t> returns;
  for (std::size_t beam = 0; beam < beams.size(); ++beam) {
    if (beams.isReturn(beam)) returns.push_back(static_cast<std::uint32_t>(beam));
  }
  return returns;
}

}  // namespace understory
