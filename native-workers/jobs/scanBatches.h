// The batches of a scan and what each yields: pieces of work for threads and for other ranks alike.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "aim/interval.h"
#include "jobs/scan.h"
#include "jobs/tracers.h"
#include "rows/columnHash.h"
#include "rows/rowWriter.h"
#include "rows/scanColumns.h"

namespace understory {

// The yield of one batch.
struct BatchYield {
  std::uint64_t pulses = 0;
  ColumnRows rows;
  std::vector<PackedPart> packed;
  ColumnHash::Digest directions{};
};

// Sums over batches, of integers: the order in which they are added does not matter.
struct BatchSums {
  std::uint64_t hits = 0;
  std::uint64_t returns = 0;
  double traceSeconds = 0.0;
  InstanceCounts returnsOfInstance;

  void add(const BatchSums& other);
};

// Buffers that one thread reuses between batches, and its sums.
struct BatchThread {
  TracedBatch batch;
  BatchSums sums;
  ColumnRows withMisses;  // where a packing has them
  RegisteredReturns registered;
};

class ScanBatches {
 public:
  // All outlive it; `consume` as RowWriter, `watch` as makeTracer.
  ScanBatches(const TracedScene& scene, const ScanJob& job, const RowConsumer& consume,
              const Watch& watch);

  const PulseInterval& interval() const { return interval_; }
  std::size_t raysOfPulse() const { return tracer_->raysOfPulse(); }
  RowWriter& writer() { return writer_; }
  // So many threads, with their sums at zero.
  std::vector<BatchThread> threads(std::size_t count) const;

  // Traces the batch at `index`, fills its rows and packs them; `yield` is overwritten. On many threads at once.
  void work(std::uint64_t index, BatchYield& yield, BatchThread& mine) const;

 private:
  const ScanJob& job_;
  std::unique_ptr<const BatchTracer> tracer_;
  PulseInterval interval_;
  RowWriter writer_;
};

}  // namespace understory
