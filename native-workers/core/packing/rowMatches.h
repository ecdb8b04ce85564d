// Where rows repeat: in the row before, in the last row with the same key, or at another place of themselves. Rows show
// this by their layout and by their keys, so that a compressor need not search for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/packing/zstdBlock.h"

namespace understory {

struct RowLikeness {
  // By row: rows with equal keys resemble each other, as those of one laser do. Empty: there are no keys.
  std::span<const std::uint16_t> keys;
  // Bytes so far before may be equal; 0: none are.
  std::size_t distance = 0;
};

// Matches that cover `rows`, whole rows of `rowBytes` bytes, as appendZstdBlock takes them; `matches` is overwritten.
// A pure function of rows and likeness.
void findMatches(std::span<const std::byte> rows, std::size_t rowBytes, const RowLikeness& likeness,
                 std::vector<Match>& matches);

}  // namespace understory
