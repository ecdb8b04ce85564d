// Hash, records and sample consume each batch as it is; chunks are collected over several.
#include "rows/rowWriter.h"

#include <algorithm>

namespace understory {
namespace {

std::size_t rowsIn(const ColumnRows& rows) { return rows.rowEnd.empty() ? 0 : rows.rowEnd.back(); }

std::vector<const std::byte*> dataOf(const ColumnRows& rows,
                                     const std::vector<std::size_t>& indices) {
  std::vector<const std::byte*> data;
  data.reserve(indices.size());
  for (const std::size_t index : indices) data.push_back(rows.columns[index].data());
  return data;
}

// As RowPacker::pack takes them.
std::vector<ReturnColumn> packedColumns(const RowTemplate& packing) {
  std::vector<ReturnColumn> columns;
  for (const PackedField& field : packing.fields) columns.push_back(field.column);
  if (packing.grid) {
    columns.push_back(ReturnColumn::pulse);
  } else if (packing.groupBy) {
    columns.push_back(*packing.groupBy);
  }
  return columns;
}

}  // namespace

RowWriter::RowWriter(const RowRequest& request, std::uint64_t firstPulse, std::uint64_t pulses,
                     std::size_t chunkPulses, const RowConsumer& consume)
    : request_(request),
      chunkPulses_(chunkPulses),
      consume_(consume),
      hashed_(indicesOf(request.hashColumns.empty() ? request.columns : request.hashColumns)),
      sent_(indicesOf(request.columns)),
      sampled_(indicesOf(request.sampleColumns)),
      sensorPoints_(request.needsSensorPoints
                        ? indicesOf({ReturnColumn::timeNs, ReturnColumn::xSensorM,
                                     ReturnColumn::ySensorM, ReturnColumn::zSensorM})
                        : Indices{}),
      hashes_(hashed_.size()),
      pending_(sent_.size()) {
  for (const RowTemplate& packing : request.packings) {
    packed_.push_back(indicesOf(packedColumns(packing)));
    packers_.emplace_back(packing, firstPulse, pulses);
  }
  if (request.sampleRows > 0) sample_.emplace(request.sampleColumns, request.sampleRows);
  // Why: a column that grows row by row is copied over and over. Most pulses have one row.
  const std::uint64_t expected = std::min<std::uint64_t>(chunkPulses, pulses);
  for (std::size_t index = 0; index < sent_.size(); ++index) {
    pending_[index].reserve(expected * infoOf(request.columns[index]).bytes);
  }
}

bool RowWriter::packsMisses() const {
  return std::ranges::any_of(request_.packings,
                             [](const RowTemplate& packing) { return packing.withMisses; });
}

void RowWriter::pack(const ColumnRows& rows, const ColumnRows& withMisses,
                     std::vector<PackedPart>& parts) const {
  parts.resize(packers_.size());
  for (std::size_t index = 0; index < packers_.size(); ++index) {
    const ColumnRows& packed = request_.packings[index].withMisses ? withMisses : rows;
    packers_[index].pack(dataOf(packed, packed_[index]), rowsIn(packed), parts[index]);
  }
}

std::array<const std::byte*, 4> RowWriter::sensorPoints(const ColumnRows& rows) const {
  std::array<const std::byte*, 4> columns{};
  for (std::size_t index = 0; index < sensorPoints_.size(); ++index) {
    columns[index] = rows.columns[sensorPoints_[index]].data();
  }
  return columns;
}

void RowWriter::add(const ColumnRows& rows, const std::vector<PackedPart>& parts) {
  const std::size_t count = rowsIn(rows);
  for (std::size_t index = 0; index < hashed_.size(); ++index) {
    hashes_[index].update(rows.columns[hashed_[index]]);
  }
  for (std::size_t index = 0; index < packers_.size(); ++index) packers_[index].add(parts[index]);
  if (sample_) sample_->add(dataOf(rows, sampled_), count);
  rows_ += count;
  if (!sent_.empty()) addToChunks(rows);
}

void RowWriter::finish(RowTotals& totals, const Parallel& parallel) {
  flush();
  totals.rows = rows_;
  totals.hash = combinedHash(hashes_);
  for (RowPacker& packer : packers_) totals.packed.push_back(packer.finish(parallel));
  if (sample_) {
    totals.sampleRows = sample_->rows();
    totals.sample = sample_->release();
  }
}

RowWriter::Indices RowWriter::indicesOf(const std::vector<ReturnColumn>& columns) {
  Indices indices;
  for (const ReturnColumn column : columns) {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    indices.push_back(static_cast<std::size_t>(found - columns_.begin()));
    if (found == columns_.end()) columns_.push_back(column);
  }
  return indices;
}

void RowWriter::addToChunks(const ColumnRows& rows) {
  std::size_t pulse = 0;
  std::uint32_t row = 0;
  while (pulse < rows.rowEnd.size()) {
    const std::size_t pulses = std::min(rows.rowEnd.size() - pulse, chunkPulses_ - pendingPulses_);
    const std::uint32_t rowEnd = rows.rowEnd[pulse + pulses - 1];
    append(rows, row, rowEnd);
    pulse += pulses;
    row = rowEnd;
    pendingPulses_ += pulses;
    if (pendingPulses_ == chunkPulses_) flush();
  }
}

void RowWriter::append(const ColumnRows& rows, std::size_t fromRow, std::size_t toRow) {
  for (std::size_t index = 0; index < sent_.size(); ++index) {
    const std::size_t bytes = infoOf(request_.columns[index]).bytes;
    const std::byte* const from = rows.columns[sent_[index]].data();
    pending_[index].insert(pending_[index].end(), from + fromRow * bytes, from + toRow * bytes);
  }
  pendingRows_ += toRow - fromRow;
}

void RowWriter::flush() {
  if (pendingRows_ > 0) consume_({pendingRows_, pending_});
  for (std::vector<std::byte>& column : pending_) column.clear();
  pendingRows_ = 0;
  pendingPulses_ = 0;
}

}  // namespace understory
