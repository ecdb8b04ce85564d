// The rows of a traced batch, before their columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rows/scanColumns.h"

namespace understory {

// One row: its slot (or its own time and azimuth), its laser and, unless it is a miss, its return.
struct Row {
  const SlotFrame* slot;
  const TracedReturn* echo;  // null: no echo
  const EchoShape* shape;    // null: of a false alarm, of a miss, or not stored
  const LaserAngle* laser;
  std::uint64_t pulse;
  std::uint32_t support;  // pulses/lineSupport.h
  std::uint16_t ring;
  std::uint8_t returnNo;
  std::uint8_t returnCount;
};

// Puts the rows of the slots `range` into `rows`, and into rowEnd where each pulse's rows end. Returns how many.
std::size_t findRows(const RowContext& context, std::uint64_t batch, const TracedBatch& traced,
                     SlotRange range, bool withMisses, std::vector<Row>& rows,
                     std::vector<std::uint32_t>& rowEnd);

}  // namespace understory
