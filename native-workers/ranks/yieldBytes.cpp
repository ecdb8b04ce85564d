// Field by field.
#include "ranks/yieldBytes.h"

namespace understory {

void appendYield(Bytes& bytes, const BatchYield& yield) {
  appendValue(bytes, yield.pulses);
  appendValue(bytes, yield.directions);
  appendValues(bytes, std::span(yield.rows.rowEnd));
  appendValue(bytes, std::uint64_t{yield.rows.columns.size()});
  for (const std::vector<std::byte>& column : yield.rows.columns) {
    appendValues(bytes, std::span(column));
  }
  appendValue(bytes, std::uint64_t{yield.packed.size()});
  for (const PackedPart& part : yield.packed) {
    appendValues(bytes, std::span(part.blocks));
    appendValue(bytes, part.rows);
    appendValue(bytes, part.crc32);
    appendValues(bytes, std::span(part.pulses));
  }
}

void readYield(ByteReader& from, BatchYield& yield) {
  yield.pulses = from.value<std::uint64_t>();
  yield.directions = from.value<ColumnHash::Digest>();
  from.values(yield.rows.rowEnd);
  yield.rows.columns.resize(from.value<std::uint64_t>());
  for (std::vector<std::byte>& column : yield.rows.columns) from.values(column);
  yield.packed.resize(from.value<std::uint64_t>());
  for (PackedPart& part : yield.packed) {
    from.values(part.blocks);
    part.rows = from.value<std::uint64_t>();
    part.crc32 = from.value<std::uint32_t>();
    from.values(part.pulses);
  }
}

void appendSums(Bytes& bytes, const BatchSums& sums) {
  appendValue(bytes, sums.hits);
  appendValue(bytes, sums.returns);
  appendValue(bytes, sums.traceSeconds);
  const auto counted = sums.returnsOfInstance.counted();
  appendValue(bytes, std::uint64_t{counted.size()});
  for (const auto& [number, count] : counted) {
    appendValue(bytes, number);
    appendValue(bytes, count);
  }
}

BatchSums readSums(ByteReader& from) {
  BatchSums sums;
  sums.hits = from.value<std::uint64_t>();
  sums.returns = from.value<std::uint64_t>();
  sums.traceSeconds = from.value<double>();
  for (auto left = from.value<std::uint64_t>(); left > 0; --left) {
    const auto number = from.value<std::uint32_t>();
    sums.returnsOfInstance.add(number, from.value<std::uint32_t>());
  }
  return sums;
}

}  // namespace understory
