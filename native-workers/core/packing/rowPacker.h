// Packs rows of columns into one record, and compresses it as it goes. Guarantee: record, frame and CRC
// are a pure function of template and rows, however the rows were cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/packing/rowTemplate.h"
#include "core/packing/zstdRecord.h"

namespace understory {

struct PackedRecord {
  std::vector<std::byte> frame;         // one zstd frame
  std::uint64_t uncompressedBytes = 0;  // of the record: head, rows, tail
  std::uint32_t crc32 = 0;              // of the record
  std::vector<std::uint64_t> bases;     // by field: what differences count from; 0 for copies
};

class RowPacker {
 public:
  // Throws UnderstoryError 'bad-input' where the template is not one (checkTemplate).
  explicit RowPacker(const RowTemplate& rows);

  // Packs `rows` more rows; columns[i] has the values of field i, from the first of these rows on.
  // Throws UnderstoryError 'bad-input' where a difference is negative or 2^32 or more.
  void add(std::span<const std::byte* const> columns, std::size_t rows);

  // The record. Nothing can be added after it.
  PackedRecord finish();

 private:
  void flush();

  RowTemplate template_;
  ZstdRecord record_;
  std::vector<std::byte> segment_;  // rows to be compressed
  std::size_t segmentRows_ = 0;
  std::size_t pendingRows_ = 0;
  std::uint64_t rows_ = 0;
  std::uint32_t rowsCrc_ = 0;
  std::vector<std::uint64_t> bases_;
};

}  // namespace understory
