// Cells of a sheet are turned one by one, each by the neighbour with the most parallel normal that has its side already (Hoppe et al.
// 1992, 3.3); then all of them, if most neighbours that are of no sheet are on the other side.
#include "learn/sheets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <queue>

#include "learn/neighbours.h"
#include "learn/parallel.h"

namespace understory {
namespace {

constexpr std::size_t pieceOfCells = 512;
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
               const std::vector<Neighbour>& near, double radiusM) {
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
  return std::max(front.deviationM(), back.deviationM()) < maxDeviation * radiusM;
}

// A cell that may be turned by its neighbour, which has its side already.
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

void turnSheets(const Beams& beams, const CellCloud& cloud, double radiusM,
                std::vector<Vec3f>& normals, const Watch& watch) {
  const Neighbours neighbours(cloud.meanM);
  const std::vector<Sides> sides = sidesOf(beams, cloud, normals, watch);
  std::vector<std::uint8_t> isOfSheets(cloud.size());
  inPieces(cloud.size(), pieceOfCells, watch, "sheets", [&](std::size_t from, std::size_t to) {
    std::vector<Neighbour> near;
    for (std::size_t cell = from; cell < to; ++cell) {
      neighbours.within(cloud.meanM[cell], static_cast<float>(radiusM), near);
      if (isOfSheet(cloud, normals, sides, cell, near, radiusM)) isOfSheets[cell] = 1;
    }
  });
  std::vector<std::uint8_t> isTurned(cloud.size());
  std::vector<float> costs(cloud.size(), std::numeric_limits<float>::infinity());
  std::vector<Neighbour> near;
  for (std::uint32_t first = 0; first < cloud.size(); ++first) {
    if (isOfSheets[first] == 0 || isTurned[first] != 0) continue;
    watch.throwIfCancelled();
    std::vector<std::uint32_t> sheet;
    double agreement = 0.0;  // with neighbours that are of no sheet
    std::priority_queue<Turn> turns;
    turns.push({0.0F, first, first});
    while (!turns.empty()) {
      const Turn turn = turns.top();
      turns.pop();
      if (isTurned[turn.cell] != 0) continue;
      isTurned[turn.cell] = 1;
      sheet.push_back(turn.cell);
      Vec3f& normal = normals[turn.cell];
      if (dot(normal, normals[turn.by]) < 0.0F) normal = normal * -1.0F;
      // Why the whole kernel: the other face of a board is farther than the cells beside each other.
      neighbours.within(cloud.meanM[turn.cell], static_cast<float>(radiusM), near);
      for (const Neighbour& neighbour : near) {
        const float cosine = dot(normals[neighbour.point], normal);
        if (isOfSheets[neighbour.point] == 0) {
          agreement += static_cast<double>(cosine) * cloud.count(neighbour.point);
          continue;
        }
        const float cost = 1.0F - std::abs(cosine);
        if (isTurned[neighbour.point] != 0 || cost >= costs[neighbour.point]) continue;
        costs[neighbour.point] = cost;
        turns.push({cost, neighbour.point, turn.cell});
      }
    }
    if (agreement >= 0.0) continue;
    for (const std::uint32_t cell : sheet) normals[cell] = normals[cell] * -1.0F;
  }
}

}  // namespace understory
