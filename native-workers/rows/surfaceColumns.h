// Columns about the surface that was hit: its colour, its motion, its part of a learned model.
#pragma once

#include <cstddef>
#include <span>

#include "core/returns/returnColumns.h"
#include "rows/batchRows.h"

namespace understory {

// red, green or blue; 0 where nothing was hit.
void fillColour(ReturnColumn channel, const RowContext& context, std::span<const Row> rows,
                std::byte* bytes);

// Whether it moves, and how fast; 0 where nothing was hit.
void fillMotionColumn(ReturnColumn column, const RowContext& context, std::span<const Row> rows,
                      std::byte* bytes);

// Columns of learned models; 0 for all others.
void fillLearnedColumn(ReturnColumn column, const RowContext& context, std::span<const Row> rows,
                       std::byte* bytes);

}  // namespace understory
