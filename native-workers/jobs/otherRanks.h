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
  // Max batches that they hold at a time, so many more than the threads of this process fill.
  virtual std::size_t width() const = 0;
  // Claims batches and finishes them, on a thread of its own, until all are claimed or the buffer was stopped; adds the
  // sums of the ranks to `sums`. Throws what a rank reports, and 'worker-failed' for a rank that is silent.
  virtual void work(ReorderBuffer<BatchYield>& buffer, BatchSums& sums) = 0;

 protected:
  OtherRanks() = default;
};

}  // namespace understory
