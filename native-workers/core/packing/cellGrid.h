// The cells of a grid, filled in any order: rows of pulses that come slot by slot become an organised cloud.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/packing/rowTemplate.h"

namespace understory {

class CellGrid {
 public:
  // For the pulses [firstPulse, firstPulse + pulses), all cells blank. Rounds begin at multiples of their pulses; those
  // at both ends may be in part. Throws UnderstoryError 'bad-input' for more than 1 GiB.
  CellGrid(const RowGrid& grid, std::size_t rowBytes, std::uint64_t firstPulse,
           std::uint64_t pulses);

  // Columns of the grid.
  std::size_t width() const { return width_; }

  // Stores `row`, of rowBytes bytes, at the cell of its pulse, which is one of the interval.
  void put(std::uint64_t pulse, const std::byte* row);

  // All cells, row of the grid by row.
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::uint32_t> cells_;  // as RowGrid
  std::size_t columnsOfRound_;
  std::size_t rowBytes_;
  std::uint64_t firstRound_;
  std::size_t width_;
  std::vector<std::byte> bytes_;
};

}  // namespace understory
