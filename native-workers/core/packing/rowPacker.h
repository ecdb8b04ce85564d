// Packs rows of columns into one record, part by part: any thread packs and compresses a part, and parts are joined in
// order. Guarantee: record, frame and CRC are a pure function of template, rows and how they were cut into parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/packing/cellGrid.h"
#include "core/packing/rowMatches.h"
#include "core/packing/rowTemplate.h"
#include "core/parallel.h"

namespace understory {

// Some rows, packed and compressed; of a grid only packed.
struct PackedPart {
  std::vector<std::byte>
      blocks;  // of a zstd frame; they refer to nothing before them. Of a grid: the rows
  std::uint64_t rows = 0;
  std::uint32_t crc32 = 0;            // of the packed rows
  std::vector<std::uint64_t> pulses;  // of a grid: by row
};

struct PackedRecord {
  std::vector<std::byte> frame;         // one zstd frame; empty where it is dropped
  std::uint64_t uncompressedBytes = 0;  // of the record: head, rows, tail
  std::uint32_t crc32 = 0;              // of the record
  std::vector<std::uint64_t> bases;     // by field: what differences count from; 0 for copies
};

class RowPacker {
 public:
  // For rows of the pulses [firstPulse, firstPulse + pulses); differences of fields without a base count from
  // `firstPulse`, and a grid has cells for these pulses. Throws UnderstoryError 'bad-input' where the template
  // is not one (checkTemplate).
  RowPacker(const RowTemplate& rows, std::uint64_t firstPulse, std::uint64_t pulses = 0);

  // Packs `rows` rows into `part`, which is overwritten; columns[i] has the values of field i. One more column has the
  // pulses of a grid, or what rows without one are grouped by. May be called by many threads at once, with whole pulses.
  // Throws UnderstoryError 'bad-input' where a difference is negative or 2^32 or more.
  void pack(std::span<const std::byte* const> columns, std::size_t rows, PackedPart& part) const;

  // Appends a part to the record.
  void add(const PackedPart& part);

  // The record. Nothing can be added after it. `parallel` compresses the blocks of a grid.
  PackedRecord finish(const Parallel& parallel = oneByOne);

 private:
  void packRows(std::span<const std::byte* const> columns, std::size_t from, std::size_t rows,
                std::byte* to) const;
  void addBlocks(const PackedPart& part);
  void addToGrid(const PackedPart& part);
  void appendGrid(const Parallel& parallel);

  RowTemplate template_;
  RowLikeness likeness_;
  std::size_t blockRows_ = 0;
  std::vector<std::uint64_t> bases_;
  std::vector<std::size_t> holes_;  // bytes of a row that no field fills
  std::vector<std::byte> frame_;    // room for the head, then the blocks
  std::optional<CellGrid> grid_;
  std::uint64_t rows_ = 0;  // of a grid: its cells
  std::uint32_t rowsCrc_ = 0;
};

}  // namespace understory
