// Further processes that trace batches of a scan beside the threads of this one.
#pragma once

#include <cstddef>

#include "jobs/reorderBuffer.h"
#include "jobs/scanBatches.h"

namespace understory {

class OtherRanks {
 public:
  virtual ~OtherRanks() = default;
  OtherRanks(const OtherRanks&) = delete;
  OtherRanks& operator=(const OtherRanks&) = delete;

  // Threads of all of them together.
  virtual std::size_t threads() const = 0;
  // So many places more than the threads of this process need, for batches that the ranks hold at a time. Called before
  // work(), with the mean rays of a batch.
  virtual std::size_t width(std::uint64_t raysOfBatch) = 0;
  // Claims batches and finishes them, on a thread of its own, until all are claimed or the buffer was stopped; adds the
  // sums of the ranks to `sums`. Throws what a rank reports, and 'worker-failed' for a rank that is silent.
  virtual void work(ReorderBuffer<BatchYield>& buffer, BatchSums& sums) = 0;

 protected:
  OtherRanks() = default;
};

}  // namespace understory
