// Surfaces over a square grid of cells, row by row from the south: a limit on their slope, and the filling of gaps.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numbers>
#include <span>

namespace understory {

// Calls visit(other) for the cells of the square of 3 x 3 about a cell, itself included, row by row.
template <typename Visit>
void forEachAround(std::size_t size, std::size_t cell, Visit&& visit) {
  const std::size_t column = cell % size;
  const std::size_t row = cell / size;
  const auto first = [](std::size_t at) { return at == 0 ? 0 : at - 1; };
  for (std::size_t y = first(row); y <= std::min(size - 1, row + 1); ++y) {
    for (std::size_t x = first(column); x <= std::min(size - 1, column + 1); ++x) {
      visit(y * size + x);
    }
  }
}

// Lowers `heightsM` to the greatest surface below them that rises by at most `riseM` from a cell to the next: low returns
// from a crown or a wall exceed it and are cut off. Infinity: a cell without a height; it gets the limit of its
// neighbours. Two passes over the grid (a chamfer transform).
inline void limitSlope(std::span<float> heightsM, std::size_t size, double riseM) {
  const double diagonalM = riseM * std::numbers::sqrt2;
  const auto lower = [&](std::size_t cell, std::size_t other, double stepM) {
    const double boundM = static_cast<double>(heightsM[other]) + stepM;
    if (boundM < static_cast<double>(heightsM[cell])) heightsM[cell] = static_cast<float>(boundM);
  };
  for (std::size_t cell = 0; cell < heightsM.size(); ++cell) {
    const std::size_t column = cell % size;
    if (column > 0) lower(cell, cell - 1, riseM);
    if (cell < size) continue;
    lower(cell, cell - size, riseM);
    if (column > 0) lower(cell, cell - size - 1, diagonalM);
    if (column < size - 1) lower(cell, cell - size + 1, diagonalM);
  }
  for (std::size_t cell = heightsM.size(); cell-- > 0;) {
    const std::size_t column = cell % size;
    if (column < size - 1) lower(cell, cell + 1, riseM);
    if (cell + size >= heightsM.size()) continue;
    lower(cell, cell + size, riseM);
    if (column < size - 1) lower(cell, cell + size + 1, diagonalM);
    if (column > 0) lower(cell, cell + size - 1, diagonalM);
  }
}

// Gives each unknown cell the mean of the known cells around it, or 0 where there is none.
template <typename IsKnown>
void fillGaps(std::span<float> heightsM, std::size_t size, IsKnown&& isKnown) {
  for (std::size_t cell = 0; cell < heightsM.size(); ++cell) {
    if (isKnown(cell)) continue;
    double sumM = 0.0;
    double count = 0.0;
    forEachAround(size, cell, [&](std::size_t other) {
      if (!isKnown(other)) return;
      sumM += static_cast<double>(heightsM[other]);
      count += 1.0;
    });
    heightsM[cell] = count == 0.0 ? 0.0F : static_cast<float>(sumM / count);
  }
}

}  // namespace understory
