// Values of columns that lie anywhere in memory.
#pragma once

#include <cstddef>
#include <cstring>

namespace understory {

template <typename Value>
Value valueAt(const std::byte* column, std::size_t row) {
  Value value{};
  std::memcpy(&value, column + row * sizeof(Value), sizeof(Value));
  return value;
}

}  // namespace understory
