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
};

// A little-endian number of the head that depends on how many rows there are: plus + perRow * rows.
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
};

// Bytes that the field takes in a row.
std::size_t bytesOf(const PackedField& field);

// Throws UnderstoryError 'bad-input' where fields or patches lie outside, or head or tail are too long
// for one block of zstd.
void checkTemplate(const RowTemplate& rows);

}  // namespace understory
