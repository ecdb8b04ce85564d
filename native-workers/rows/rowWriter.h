// Where the rows of a scan go, block by block and in order: into the hash, into chunks for the caller,
// into a packed record, into a sample; each only where it was asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/packing/rowPacker.h"
#include "rows/columnHash.h"
#include "rows/rowSample.h"
#include "jobs/scan.h"
#include "rows/scanColumns.h"

namespace understory {

class RowWriter {
 public:
  // Both outlive the writer. Throws UnderstoryError 'bad-input' where rows cannot be packed as asked.
  RowWriter(const ScanJob& job, const ScanSink& sink);

  // The columns that the blocks handed to add() must have, in this order.
  const std::vector<ReturnColumn>& columns() const { return columns_; }

  void add(const ColumnRows& rows);

  // Hands out what is left, and writes rows, hash, record and sample into the totals.
  void finish(ScanTotals& totals);

 private:
  // Columns of add() by their place in columns().
  using Places = std::vector<std::size_t>;

  Places placesOf(const std::vector<ReturnColumn>& columns);
  void addToChunks(const ColumnRows& rows);
  void append(const ColumnRows& rows, std::size_t fromRow, std::size_t toRow);
  void flush();

  const ScanJob& job_;
  const ScanSink& sink_;
  std::vector<ReturnColumn> columns_;
  Places hashed_;
  Places sent_;
  Places packed_;
  Places sampled_;
  std::vector<ColumnHash> hashes_;
  std::optional<RowPacker> packer_;
  std::optional<RowSample> sample_;
  std::vector<std::vector<std::byte>> pending_;
  std::size_t pendingPulses_ = 0;
  std::size_t pendingRows_ = 0;
  std::uint64_t rows_ = 0;
};

}  // namespace understory
