// Keeps rows while there is room; without, every second one goes and the stride doubles.
#include "rows/rowSample.h"

#include <cstring>

namespace understory {

RowSample::RowSample(std::vector<ReturnColumn> columns, std::size_t mostRows)
    : columns_(std::move(columns)), mostRows_(mostRows), kept_(columns_.size()) {}

void RowSample::add(std::span<const std::byte* const> columns, std::size_t rows) {
  const std::uint64_t first = seen_;
  seen_ += rows;
  for (std::uint64_t row = (first + stride_ - 1) / stride_ * stride_; row < seen_;) {
    if (rows_ == mostRows_) {
      dropEverySecond();
      row = (row + stride_ - 1) / stride_ * stride_;
      continue;
    }
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      const std::size_t bytes = infoOf(columns_[column]).bytes;
      const std::byte* const value = columns[column] + (row - first) * bytes;
      kept_[column].insert(kept_[column].end(), value, value + bytes);
    }
    ++rows_;
    row += stride_;
  }
}

void RowSample::dropEverySecond() {
  const std::size_t left = (rows_ + 1) / 2;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    const std::size_t bytes = infoOf(columns_[column]).bytes;
    std::byte* const values = kept_[column].data();
    for (std::size_t row = 1; row < left; ++row) {
      std::memcpy(values + row * bytes, values + 2 * row * bytes, bytes);
    }
    kept_[column].resize(left * bytes);
  }
  rows_ = left;
  stride_ *= 2;
}

}  // namespace understory
