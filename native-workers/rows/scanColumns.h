// From a traced block to the columns that were asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/returns/returnColumns.h"
#include "pulses/blockTracer.h"

namespace understory {

// The rows of some consecutive pulses, one byte vector for each column asked for.
struct ColumnRows {
  std::vector<std::vector<std::byte>> columns;
  std::vector<std::uint32_t> rowEnd;  // by pulse: rows up to and with it
};

// Rows of the pulses that fire in slots [fromSlot, toSlot) of the block; with `withMisses` also one
// row for each pulse without an echo (return_no 0, NaN, ids 0). `out` is overwritten.
void fillColumns(const BlockTracer& tracer, std::uint64_t block, const TracedBlock& traced,
                 std::size_t fromSlot, std::size_t toSlot, std::span<const ReturnColumn> columns,
                 bool withMisses, ColumnRows& out);

}  // namespace understory
