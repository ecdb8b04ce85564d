// Stores rows while there is room; without, drops every second one and doubles the stride.
#include "rows/rowSample.h"

#include <cstring>

namespace understory {

RowSample::RowSample(std::vector<ReturnColumn> columns, std::size_t maxRows)
    : columns_(std::move(columns)), maxRows_(maxRows), values_(columns_.size()) {}

void RowSample::add(std::span<const std::byte* const> columns, std::size_t rows) {
  const std::uint64_t first = seen_;
  seen_ += rows;
  for (std::uint64_t row = (first + stride_ - 1) / stride_ * stride_; row < seen_;) {
    if (rows_ == maxRows_) {
      dropEverySecond();
      row = (row + stride_ - 1) / stride_ * stride_;
      continue;
    }
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      const std::size_t bytes = infoOf(columns_[column]).bytes;
      const std::byte* const value = columns[column] + (row - first) * bytes;
      values_[column].insert(values_[column].end(), value, value + bytes);
    }
    ++rows_;
    row += stride_;
  }
}

void RowSample::dropEverySecond() {
  const std::size_t left = (rows_ + 1) / 2;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    const std::size_t bytes = infoOf(columns_[column]).bytes;
    std::byte* const values = values_[column].data();
    for (std::size_t row = 1; row < left; ++row) {
      std::memcpy(values + row * bytes, values + 2 * row * bytes, bytes);
    }
    values_[column].resize(left * bytes);
  }
  rows_ = left;
  stride_ *= 2;
}

}  // namespace understory
