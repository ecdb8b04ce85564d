// Discs are looked up by the cells of a grid.
#include "core/assembly/scatterArea.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace understory {

ScatterArea::ScatterArea(std::vector<std::array<double, 2>> polygonM, std::vector<KeepClear> discs)
    : minX(polygonM[0][0]),
      minY(polygonM[0][1]),
      maxX(minX),
      maxY(minY),
      polygon_(std::move(polygonM)),
      discs_(std::move(discs)) {
  for (const auto& [x, y] : polygon_) {
    minX = std::min(minX, x);
    minY = std::min(minY, y);
    maxX = std::max(maxX, x);
    maxY = std::max(maxY, y);
  }
  if (discs_.empty()) return;
  discsOfCell_.resize(side_ * side_);
  for (std::uint32_t index = 0; index < discs_.size(); ++index) {
    const auto& [centreM, radiusM] = discs_[index];
    const std::size_t lastRow = cellOf((centreM[1] + radiusM - minY) / (maxY - minY));
    const std::size_t lastColumn = cellOf((centreM[0] + radiusM - minX) / (maxX - minX));
    for (std::size_t row = cellOf((centreM[1] - radiusM - minY) / (maxY - minY)); row <= lastRow;
         ++row) {
      for (std::size_t column = cellOf((centreM[0] - radiusM - minX) / (maxX - minX));
           column <= lastColumn; ++column) {
        discsOfCell_[row * side_ + column].push_back(index);
      }
    }
  }
}

bool ScatterArea::contains(double xM, double yM) const {
  if (!isInPolygon(xM, yM)) return false;
  if (discs_.empty()) return true;
  const std::size_t row = cellOf((yM - minY) / (maxY - minY));
  const std::size_t column = cellOf((xM - minX) / (maxX - minX));
  const auto& near = discsOfCell_[row * side_ + column];
  return std::none_of(near.begin(), near.end(), [&](std::uint32_t index) {
    const auto& [centreM, radiusM] = discs_[index];
    return std::hypot(xM - centreM[0], yM - centreM[1]) < radiusM;
  });
}

bool ScatterArea::mayDivide(Vec2d fromM, Vec2d toM) const {
  for (std::size_t index = 0; index < polygon_.size(); ++index) {
    const auto& [fromX, fromY] = polygon_[index];
    const auto& [toX, toY] = polygon_[(index + 1) % polygon_.size()];
    const bool isApart = std::max(fromX, toX) < fromM.x || std::min(fromX, toX) > toM.x ||
                         std::max(fromY, toY) < fromM.y || std::min(fromY, toY) > toM.y;
    if (!isApart) return true;
  }
  return std::ranges::any_of(discs_, [&](const KeepClear& disc) {
    const auto& [xM, yM] = disc.centreM;
    const double acrossM = std::max({fromM.x - xM, 0.0, xM - toM.x});
    const double alongM = std::max({fromM.y - yM, 0.0, yM - toM.y});
    return std::hypot(acrossM, alongM) <= disc.radiusM;
  });
}

std::size_t ScatterArea::cellOf(double share) const {
  const double clamped =
      share > 0.0 ? std::min(share, 1.0) : 0.0;  // also for NaN of a flat polygon
  return std::min(static_cast<std::size_t>(clamped * side_), side_ - 1);
}

bool ScatterArea::isInPolygon(double xM, double yM) const {
  bool isInside = false;
  for (std::size_t index = 0; index < polygon_.size(); ++index) {
    const auto& [fromX, fromY] = polygon_[index];
    const auto& [toX, toY] = polygon_[(index + 1) % polygon_.size()];
    if ((fromY > yM) == (toY > yM)) continue;
    if (xM < fromX + (yM - fromY) / (toY - fromY) * (toX - fromX)) isInside = !isInside;
  }
  return isInside;
}

}  // namespace understory
