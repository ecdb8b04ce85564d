// Cells by pulse number.
#include "core/packing/cellGrid.h"

#include <cstring>

#include "core/error.h"

namespace understory {
namespace {

constexpr std::uint64_t maxBytes = std::uint64_t{1} << 30U;

}  // namespace

CellGrid::CellGrid(const RowGrid& grid, std::size_t rowBytes, std::uint64_t firstPulse,
                   std::uint64_t pulses)
    : cells_(grid.cells),
      columnsOfRound_(grid.columns),
      rowBytes_(rowBytes),
      firstRound_(firstPulse / grid.cells.size()),
      width_(0) {
  const std::uint64_t round = grid.cells.size();
  const std::uint64_t rounds =
      pulses == 0 ? 0 : (firstPulse + pulses - 1) / round - firstRound_ + 1;
  const std::uint64_t bytesOfRound = grid.rows * grid.columns * rowBytes;
  if (rounds > maxBytes / bytesOfRound) {
    throw UnderstoryError(ErrorCode::badInput, "an organised cloud has more than 1 GiB");
  }
  width_ = rounds * grid.columns;
  bytes_.resize(grid.rows * width_ * rowBytes);
  std::byte* to = bytes_.data();
  for (std::size_t row = 0; row < grid.rows; ++row) {
    for (std::size_t column = 0; column < width_; ++column, to += rowBytes) {
      std::memcpy(to, grid.blank.data() + row * rowBytes, rowBytes);
    }
  }
}

void CellGrid::put(std::uint64_t pulse, const std::byte* row) {
  const std::size_t cell = cells_[pulse % cells_.size()];
  const std::size_t column =
      (pulse / cells_.size() - firstRound_) * columnsOfRound_ + cell % columnsOfRound_;
  std::memcpy(bytes_.data() + (cell / columnsOfRound_ * width_ + column) * rowBytes_, row,
              rowBytes_);
}

}  // namespace understory
