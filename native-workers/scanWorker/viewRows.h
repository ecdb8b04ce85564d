// Rows of views, sent in chunks of bounds::viewChunkRows.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <vector>

#include "contract/contract.h"
#include "core/error.h"
#include "core/maths/maths.h"
#include "protocol/rpc.h"

namespace understory {

inline nlohmann::json vectorJson(Vec3d value) { return {value.x, value.y, value.z}; }

inline Vec3d vectorOf(const std::array<double, 3>& values) {
  return {values[0], values[1], values[2]};
}

// Throws 'cancelled'.
inline void send(Call& call, const nlohmann::json& body, const std::vector<ColumnView>& columns) {
  if (!call.chunk(body, columns)) throw cancelledError();
}

// Calls add(row) for each row of [0, rows) and flush(rowsOfChunk) behind each chunk.
template <typename Add, typename Flush>
void inChunks(std::size_t rows, Add&& add, Flush&& flush) {
  for (std::size_t from = 0; from < rows; from += bounds::viewChunkRows) {
    const std::size_t to = std::min(rows, from + bounds::viewChunkRows);
    for (std::size_t row = from; row < to; ++row) add(row);
    flush(to - from);
  }
}

inline void push(std::vector<float>& values, Vec3f place) {
  values.insert(values.end(), {place.x, place.y, place.z});
}

}  // namespace understory
