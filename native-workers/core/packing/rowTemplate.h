// How rows of columns become one record of bytes: head, packed rows, tail. The layout is the caller's;
// this code is independent of the format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/returns/returnColumns.h"

namespace understory {

// Most bytes of a head or a tail: each is one raw block.
inline constexpr std::size_t maxRawBytes = 65535;

// One value of each row.
struct PackedField {
  ReturnColumn column{};
  std::size_t offset = 0;  // in the row
  Packing how = Packing::copy;
  std::optional<std::uint64_t> base;  // none: that of the packer
  double factor = 1.0;
  double plus = 0.0;
  ColumnType type = ColumnType::f32;  // of a scaled value or difference
  double step = 0.0;                  // of a scaled f32: it is a multiple of this; 0: any
};

// A grid with a cell for each pulse of an interval. Pulses come in rounds of as many as the sensor's pattern of slots
// has; rounds lie side by side. A cell holds the first row of its pulse.
struct RowGrid {
  std::size_t rows = 0;
  std::size_t columns = 0;           // of a round
  std::vector<std::uint32_t> cells;  // by pulse of a round: row * columns + column
  std::vector<std::byte> blank;      // by row of the grid: the content of a cell without a row
};

// A little-endian number of the head that depends on how many rows there are: plus + perRow * rows. Of a grid: on how
// many columns.
struct Patch {
  std::size_t at = 0;     // in the head
  std::size_t bytes = 4;  // 4 or 8
  std::uint64_t plus = 0;
  std::uint64_t perRow = 0;
};

struct RowTemplate {
  std::vector<std::byte> before;  // the head
  std::vector<std::byte> after;   // the tail
  std::size_t rowBytes = 0;       // bytes of a row that no field fills are zero
  std::vector<PackedField> fields;
  std::vector<Patch> patches;
  std::optional<ReturnColumn> groupBy;  // a u16: rows with equal values resemble each other
  std::optional<RowGrid> grid;          // none: rows follow each other
  bool withMisses = false;              // also a row for each pulse without an echo
  FrameUse frameUse = FrameUse::sent;
};

// Bytes that the field takes in a row.
std::size_t bytesOf(const PackedField& field);

// Throws UnderstoryError 'bad-input' where fields, patches or cells lie outside, or head or tail are too long
// for one block of zstd.
void checkTemplate(const RowTemplate& rows);

}  // namespace understory
