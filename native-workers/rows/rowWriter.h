// Consumes the rows of a scan, batch by batch and in order: into the hash, into chunks for the caller,
// into packed records, into a sample; each only where it was asked for.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/packing/rowPacker.h"
#include "rows/columnHash.h"
#include "rows/rowRequest.h"
#include "rows/rowSample.h"
#include "rows/scanColumns.h"

namespace understory {

class RowWriter {
 public:
  // For rows of the pulses [firstPulse, firstPulse + pulses). Hands chunks of at most `chunkPulses` pulses to `consume`;
  // ones without rows are left out. `request` and `consume` outlive the writer. Packed pulses count from `firstPulse`
  // where the template has no base. Throws UnderstoryError 'bad-input' where rows cannot be packed as asked.
  RowWriter(const RowRequest& request, std::uint64_t firstPulse, std::uint64_t pulses,
            std::size_t chunkPulses, const RowConsumer& consume);

  // The columns that the batches handed to add() must have, in this order.
  const std::vector<ReturnColumn>& columns() const { return columns_; }

  // Whether a packing has rows that the others lack: those of pulses without an echo.
  bool packsMisses() const;

  // Packs a batch, a part for each packing that was asked for; `parts` are overwritten. `withMisses`: the batch with
  // rows for pulses without an echo, read where packsMisses(). May be called by many threads at once.
  void pack(const ColumnRows& rows, const ColumnRows& withMisses,
            std::vector<PackedPart>& parts) const;

  // The columns time_ns and x, y, z_sensor_m of a batch, where the request needs them.
  std::array<const std::byte*, 4> sensorPoints(const ColumnRows& rows) const;

  // Consumes the next batch, with what pack() made of it.
  void add(const ColumnRows& rows, const std::vector<PackedPart>& parts);

  // Hands out what is left, and writes rows, hash, records and sample into the totals; `parallel` as RowPacker::finish.
  void finish(RowTotals& totals, const Parallel& parallel);

 private:
  // Indices into columns().
  using Indices = std::vector<std::size_t>;

  Indices indicesOf(const std::vector<ReturnColumn>& columns);
  void addToChunks(const ColumnRows& rows);
  void append(const ColumnRows& rows, std::size_t fromRow, std::size_t toRow);
  void flush();

  const RowRequest& request_;
  std::size_t chunkPulses_;
  const RowConsumer& consume_;
  std::vector<ReturnColumn> columns_;
  Indices hashed_;
  Indices sent_;
  std::vector<Indices> packed_;  // by packing
  Indices sampled_;
  Indices sensorPoints_;
  std::vector<ColumnHash> hashes_;
  std::vector<RowPacker> packers_;
  std::optional<RowSample> sample_;
  std::vector<std::vector<std::byte>> pending_;
  std::size_t pendingPulses_ = 0;
  std::size_t pendingRows_ = 0;
  std::uint64_t rows_ = 0;
};

}  // namespace understory
