// Helpers of the functions that fill a column, row by row.
#pragma once

#include <cstddef>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>

#include "rows/batchRows.h"

namespace understory {

// For the `default` of a function that fills some columns: a column that belongs to another function is a bug.
[[noreturn]] inline void refuseColumn() {
  throw std::logic_error("the column belongs to another group");
}

template <typename Value, typename Function>
void fill(std::span<const Row> rows, std::byte* bytes, Function&& valueOf) {
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Value value = static_cast<Value>(valueOf(rows[row]));
    std::memcpy(bytes + row * sizeof(Value), &value, sizeof(Value));
  }
}

// A measured value: NaN where there was no echo.
template <typename Function>
void fillMeasured(std::span<const Row> rows, std::byte* bytes, Function&& valueOf) {
  fill<float>(rows, bytes, [&](const Row& row) {
    return row.echo == nullptr ? std::numeric_limits<float>::quiet_NaN()
                               : static_cast<float>(valueOf(row, *row.echo));
  });
}

inline bool hitsObject(const Row& row) {
  return row.echo != nullptr && row.echo->instance != noInstance;
}

// Where the ray of a row met the scene.
inline Vec3d hitPointM(const Row& row) {
  return row.slot->originM +
         toDouble(row.echo->rayDirection) * static_cast<double>(row.echo->trueRangeM);
}

}  // namespace understory
