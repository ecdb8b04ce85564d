// Cells of sheets are turned one by one, each by the neighbour with the most parallel normal that has its side already (Hoppe et al.
// 1992, 3.3).
#include "learn/sheets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <queue>

#include "learn/neighbours.h"
#include "learn/parallel.h"

namespace understory {
namespace {

constexpr std::size_t pieceOfCells = 512;
constexpr std::size_t neighboursOfCell = 16;
// Least share of the beams at a plane that come from each side.
constexpr double minShareOfSide = 0.1;
// Those of a side are flat where they deviate from their plane by less than this share of the kernel.
constexpr double maxDeviation = 0.15;

// How many beams of a cell come from the side that its normal points to, and from the other.
using Sides = std::array<std::uint32_t, 2>;

std::vector<Sides> sidesOf(const Beams& beams, const CellCloud& cloud,
                           const std::vector<Vec3f>& normals, const Watch& watch) {
  std::vector<Sides> sides(cloud.size());
  inPieces(cloud.size(), pieceOfCells, watch, "sides", [&](std::size_t from, std::size_t to) {
    for (std::size_t cell = from; cell < to; ++cell) {
      for (std::size_t at = cloud.groups.starts[cell]; at < cloud.groups.starts[cell + 1]; ++at) {
        const Vec3f direction = beams.direction[cloud.groups.members[at]];
        ++sides[cell][dot(direction, normals[cell]) < 0.0F ? 0 : 1];
      }
    }
  });
  return sides;
}

// Offsets from a plane, weighted by numbers of returns.
struct Offsets {
  double weight = 0.0;
  double sum = 0.0;
  double squares = 0.0;

  void add(double offsetM, double count) {
    weight += count;
    sum += count * offsetM;
    squares += count * offsetM * offsetM;
  }
  double meanM() const { return sum / weight; }
  double deviationM() const {
    return std::sqrt(std::max(squares / weight - meanM() * meanM(), 0.0));
  }
};

bool isOfSheet(const CellCloud& cloud, const std::vector<Vec3f>& normals,
               const std::vector<Sides>& sides, std::size_t cell,
               const std::vector<Neighbour>& near, double radiusM, double thicknessM) {
  const Vec3f normal = normals[cell];
  std::array<Offsets, 2> offsets;
  for (const Neighbour& neighbour : near) {
    const auto offsetM =
        static_cast<double>(dot(cloud.meanM[neighbour.point] - cloud.meanM[cell], normal));
    const std::size_t turned = dot(normals[neighbour.point], normal) < 0.0F ? 1 : 0;
    for (std::size_t side = 0; side < 2; ++side) {
      offsets[side].add(offsetM, sides[neighbour.point][side ^ turned]);
    }
  }
  const auto& [front, back] = offsets;
  if (std::min(front.weight, back.weight) < minShareOfSide * (front.weight + back.weight)) {
    return false;
  }
  return std::abs(front.meanM() - back.meanM()) < thicknessM &&
         std::max(front.deviationM(), back.deviationM()) < maxDeviation * radiusM;
}

// A cell that may be turned by its neighbour, which has its side.
struct Turn {
  float angleCost;  // 1 - |cosine| of the angle between both normals
  std::uint32_t cell;
  std::uint32_t by;

  // The cheapest first.
  bool operator<(const Turn& other) const {
    if (angleCost != other.angleCost) return angleCost > other.angleCost;
    return cell != other.cell ? cell > other.cell : by > other.by;
  }
};

}  // namespace

void turnSheets(const Beams& beams, const CellCloud& cloud, double radiusM, double thicknessM,
                std::vector<Vec3f>& normals, const Watch& watch) {
  const Neighbours neighbours(cloud.meanM);
  const std::vector<Sides> sides = sidesOf(beams, cloud, normals, watch);
  std::vector<std::uint8_t> isWaiting(cloud.size());
  inPieces(cloud.size(), pieceOfCells, watch, "sheets", [&](std::size_t from, std::size_t to) {
    std::vector<Neighbour> near;
    for (std::size_t cell = from; cell < to; ++cell) {
      neighbours.within(cloud.meanM[cell], static_cast<float>(radiusM), near);
      if (isOfSheet(cloud, normals, sides, cell, near, radiusM, thicknessM)) isWaiting[cell] = 1;
    }
  });
  std::priority_queue<Turn> turns;
  std::vector<Neighbour> near;
  const auto offer = [&](std::uint32_t to, std::uint32_t by) {
    turns.push({1.0F - std::abs(dot(normals[to], normals[by])), to, by});
  };
  const auto offerToNeighbours = [&](std::uint32_t by) {
    neighbours.nearest(cloud.meanM[by], neighboursOfCell, near);
    for (const Neighbour& neighbour : near) {
      if (isWaiting[neighbour.point] != 0) offer(neighbour.point, by);
    }
  };
  const auto turnAll = [&] {
    while (!turns.empty()) {
      const Turn turn = turns.top();
      turns.pop();
      if (isWaiting[turn.cell] == 0) continue;
      isWaiting[turn.cell] = 0;
      if (dot(normals[turn.cell], normals[turn.by]) < 0.0F)
        normals[turn.cell] = normals[turn.cell] * -1.0F;
      offerToNeighbours(turn.cell);
    }
  };
  for (std::uint32_t cell = 0; cell < cloud.size(); ++cell) {
    if (isWaiting[cell] == 0) continue;
    neighbours.nearest(cloud.meanM[cell], neighboursOfCell, near);
    for (const Neighbour& neighbour : near) {
      if (isWaiting[neighbour.point] == 0) offer(cell, neighbour.point);
    }
  }
  turnAll();
  // Sheets without such neighbours: their first cell decides.
  for (std::uint32_t cell = 0; cell < cloud.size(); ++cell) {
    if (isWaiting[cell] == 0) continue;
    watch.throwIfCancelled();
    isWaiting[cell] = 0;
    offerToNeighbours(cell);
    turnAll();
  }
}

}  // namespace understory
