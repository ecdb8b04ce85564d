// Hash, record and sample take each block as it is; chunks are put together.
#include "rows/rowWriter.h"

#include <algorithm>

namespace understory {
namespace {

std::vector<const std::byte*> dataOf(const ColumnRows& rows, const std::vector<std::size_t>& places) {
  std::vector<const std::byte*> data;
  data.reserve(places.size());
  for (const std::size_t place : places) data.push_back(rows.columns[place].data());
  return data;
}

std::vector<ReturnColumn> packedColumns(const ScanJob& job) {
  std::vector<ReturnColumn> columns;
  if (!job.packing) return columns;
  for (const PackedField& field : job.packing->fields) columns.push_back(field.column);
  return columns;
}

}  // namespace

RowWriter::RowWriter(const ScanJob& job, const ScanSink& sink)
    : job_(job),
      sink_(sink),
      hashed_(placesOf(job.hashColumns.empty() ? job.columns : job.hashColumns)),
      sent_(placesOf(job.columns)),
      packed_(placesOf(packedColumns(job))),
      sampled_(placesOf(job.sampleColumns)),
      hashes_(hashed_.size()),
      pending_(sent_.size()) {
  if (job.packing) packer_.emplace(*job.packing);
  if (job.sampleRows > 0) sample_.emplace(job.sampleColumns, job.sampleRows);
}

void RowWriter::add(const ColumnRows& rows) {
  const std::size_t count = rows.rowEnd.empty() ? 0 : rows.rowEnd.back();
  for (std::size_t index = 0; index < hashed_.size(); ++index) {
    hashes_[index].update(rows.columns[hashed_[index]]);
  }
  if (packer_) packer_->add(dataOf(rows, packed_), count);
  if (sample_) sample_->add(dataOf(rows, sampled_), count);
  rows_ += count;
  if (!sent_.empty()) addToChunks(rows);
}

void RowWriter::finish(ScanTotals& totals) {
  flush();
  totals.rows = rows_;
  totals.hash = combinedHash(hashes_);
  if (packer_) totals.packed = packer_->finish();
  if (sample_) {
    totals.sampleRows = sample_->rows();
    totals.sample = sample_->take();
  }
}

RowWriter::Places RowWriter::placesOf(const std::vector<ReturnColumn>& columns) {
  Places places;
  for (const ReturnColumn column : columns) {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    places.push_back(static_cast<std::size_t>(found - columns_.begin()));
    if (found == columns_.end()) columns_.push_back(column);
  }
  return places;
}

void RowWriter::addToChunks(const ColumnRows& rows) {
  std::size_t pulse = 0;
  std::uint32_t row = 0;
  while (pulse < rows.rowEnd.size()) {
    const std::size_t taken =
        std::min(rows.rowEnd.size() - pulse, job_.chunkPulses - pendingPulses_);
    const std::uint32_t rowEnd = rows.rowEnd[pulse + taken - 1];
    append(rows, row, rowEnd);
    pulse += taken;
    row = rowEnd;
    pendingPulses_ += taken;
    if (pendingPulses_ == job_.chunkPulses) flush();
  }
}

void RowWriter::append(const ColumnRows& rows, std::size_t fromRow, std::size_t toRow) {
  for (std::size_t index = 0; index < sent_.size(); ++index) {
    const std::size_t bytes = infoOf(job_.columns[index]).bytes;
    const std::byte* const from = rows.columns[sent_[index]].data();
    pending_[index].insert(pending_[index].end(), from + fromRow * bytes, from + toRow * bytes);
  }
  pendingRows_ += toRow - fromRow;
}

void RowWriter::flush() {
  if (pendingRows_ > 0) sink_.takeChunk({pendingRows_, pending_});
  for (std::vector<std::byte>& column : pending_) column.clear();
  pendingRows_ = 0;
  pendingPulses_ = 0;
}

}  // namespace understory
