// Maxima of integers, which commute.
#include "mapping/sightings.h"

#include <algorithm>
#include <atomic>

#include "core/mutation.h"

namespace understory {
namespace {

// min(100 h / h_max, 100) of a height over the ground, rounded, halves up.
std::uint8_t costOf(double heightM, double perHeight) {
  if (heightM <= 0) return 0;
  const double cost = perHeight * heightM;
  if (cost >= 100.0) return 100;
  const auto whole = static_cast<int>(cost);
  return static_cast<std::uint8_t>(cost - whole < 0.5 ? whole : whole + 1);
}

void raise(std::uint8_t& stored, std::uint8_t cost) {
  const std::atomic_ref<std::uint8_t> shared(stored);
  const auto value = static_cast<std::uint8_t>(cost + 1);
  std::uint8_t old = shared.load(std::memory_order_relaxed);
  while (old < value && !shared.compare_exchange_weak(old, value, std::memory_order_relaxed)) {
  }
}

}  // namespace

SightedCells::SightedCells(const TickMap& map)
    : map_(map), cost_(cellsOf(map)), sureCost_(cellsOf(map)) {
  if (map.clearing) lowCost_.resize(cellsOf(map));
}

void SightedCells::add(std::span<const MapPoint> points, const GroundGrid* ground) {
  const double perHeight = 100.0 / map_.maxHeightM;
  const auto cells = static_cast<double>(map_.cells);
  const auto& [originXM, originYM] = map_.originM;
  const double marginPerM = activeMutation() == Mutation::mapWithoutMargin ? 0.0 : map_.marginPerM;
  for (const MapPoint& point : points) {
    const double x = point.xM - originXM;
    const double y = point.yM - originYM;
    const double columns = x / map_.cellM;
    const double rows = y / map_.cellM;
    if (!(columns >= 0 && rows >= 0 && columns < cells && rows < cells)) continue;
    const std::size_t cell = static_cast<std::size_t>(rows) * static_cast<std::size_t>(map_.cells) +
                             static_cast<std::size_t>(columns);
    const double groundM = ground == nullptr ? 0.0 : ground->overPlaneM(x, y);
    const double heightM = overPlaneM(map_.plane, point.xM, point.yM, point.zM) - groundM;
    const std::uint8_t cost = costOf(heightM, perHeight);
    const auto rangeM = static_cast<double>(point.rangeM);
    raise(cost_[cell], cost);
    raise(sureCost_[cell], costOf(heightM - marginPerM * rangeM, perHeight));
    // Few returns reach a far cell, and a low one says little of what is above.
    if (map_.clearing && (cost >= map_.clearing->highCost || rangeM <= map_.clearing->maxRangeM)) {
      raise(lowCost_[cell], cost);
    }
  }
}

Sightings SightedCells::sightings(SentCosts& sent) const {
  sent.cost.resize(cost_.size());
  sent.sureCost.resize(sureCost_.size());
  const auto repeatFrom = map_.repeatFromCost.value_or(0);
  Sightings seen;
  for (std::size_t cell = 0; cell < cost_.size(); ++cell) {
    if (cost_[cell] == 0) continue;
    const bool isNew = cost_[cell] > sent.cost[cell] || sureCost_[cell] > sent.sureCost[cell];
    if (!isNew && sureCost_[cell] <= repeatFrom) continue;
    sent.cost[cell] = std::max(sent.cost[cell], cost_[cell]);
    sent.sureCost[cell] = std::max(sent.sureCost[cell], sureCost_[cell]);
    seen.cell.push_back(static_cast<std::uint32_t>(cell));
    seen.cost.push_back(static_cast<std::uint8_t>(cost_[cell] - 1));
    seen.sureCost.push_back(static_cast<std::uint8_t>(sureCost_[cell] - 1));
    // 0 becomes 255.
    if (map_.clearing) seen.lowCost.push_back(static_cast<std::uint8_t>(lowCost_[cell] - 1));
  }
  return seen;
}

}  // namespace understory
