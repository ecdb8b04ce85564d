// Every n-th row of a scan, with n the smallest power of two for which they are few enough: what a
// screen shows of a scan whose size is known only at its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/returns/returnColumns.h"

namespace understory {

class RowSample {
 public:
  // At most `maxRows` rows (at least 1) of these columns.
  RowSample(std::vector<ReturnColumn> columns, std::size_t maxRows);

  // Considers `rows` more rows; columns[i] has the values of column i, from the first of them on.
  void add(std::span<const std::byte* const> columns, std::size_t rows);

  std::size_t rows() const { return rows_; }
  // By column, each with rows() values.
  std::vector<std::vector<std::byte>> release() { return std::move(values_); }

 private:
  void dropEverySecond();

  std::vector<ReturnColumn> columns_;
  std::size_t maxRows_;
  std::vector<std::vector<std::byte>> values_;
  std::size_t rows_ = 0;
  std::uint64_t stride_ = 1;
  std::uint64_t seen_ = 0;
};

}  // namespace understory
