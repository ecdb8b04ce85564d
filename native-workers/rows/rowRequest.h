// The rows that a scan makes, and where they go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/packing/rowPacker.h"
#include "core/returns/returnColumns.h"

namespace understory {

struct RowRequest {
  std::vector<ReturnColumn> columns;      // handed out in chunks; may be none
  std::vector<ReturnColumn> hashColumns;  // of RowTotals::hash; none: `columns`
  std::vector<RowTemplate> packings;      // each makes one of RowTotals::packed
  std::vector<ReturnColumn> sampleColumns;
  std::size_t sampleRows = 0;      // max rows of RowTotals::sample; 0: none
  bool needsSensorPoints = false;  // RowWriter::sensorPoints
};

// Rows of one chunk; column i belongs to RowRequest::columns[i].
struct RowChunk {
  std::size_t rows = 0;
  std::span<const std::vector<std::byte>> columns;
};
using RowConsumer = std::function<void(const RowChunk&)>;

struct RowTotals {
  std::uint64_t rows = 0;
  std::string hash;  // xxh3-128 over the xxh3-128 of each hashed column, in their order; hex
  std::vector<PackedRecord> packed;  // by RowRequest::packings
  std::size_t sampleRows = 0;
  std::vector<std::vector<std::byte>> sample;  // by RowRequest::sampleColumns
};

}  // namespace understory
