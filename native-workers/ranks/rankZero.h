// The side of rank 0: passes calls on to the other ranks and hands out the batches of a scan, a few at a time to each
// rank, so that a slow one holds nothing up.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "jobs/otherRanks.h"
#include "protocol/frame.h"
#include "ranks/rankLink.h"

namespace understory {

class RankZero final : public OtherRanks {
 public:
  // `link` outlives it; every rank has so many threads.
  RankZero(RankLink& link, std::size_t threadsPerRank);

  // Passes a call on to all ranks, which begin it. Throws 'worker-failed' after a rank was lost.
  void begin(const Frame& request);
  // Waits until all ranks have ended the call; drops it on them first where `isCancelled`. Throws what a rank reports,
  // and 'worker-failed' for a rank that is silent, once.
  void end(bool isCancelled);
  // Ends the other ranks' programs; false: one does not listen.
  bool stop();

  std::size_t threads() const override { return others() * threadsPerRank_; }
  std::size_t width(std::uint64_t raysOfBatch) override;
  void work(ReorderBuffer<BatchYield>& buffer, BatchSums& sums) override;

 private:
  using Clock = std::chrono::steady_clock;

  struct Other {
    std::size_t held = 0;  // batches that it has not yielded yet
    bool isAtWork = false;
    Clock::time_point lastSeen;
  };

  std::size_t others() const { return others_.size(); }
  std::size_t maxHeld(std::uint64_t unclaimed) const;
  bool handOut(ReorderBuffer<BatchYield>& buffer);
  void sendToAll(RankMessage kind);
  // Takes what has arrived; without a buffer yields are dropped.
  bool receive(ReorderBuffer<BatchYield>* buffer, BatchSums* sums);
  void takeYields(int rank, ByteReader& from, ReorderBuffer<BatchYield>* buffer);
  void takeDone(int rank, ByteReader& from, BatchSums* sums);
  // Why: nothing was received while rank 0 did its own part of a call.
  void listenFromNow();
  void throwIfSilent();
  bool isAnyAtWork() const;

  RankLink& link_;
  std::size_t threadsPerRank_;
  std::size_t aheadOfThread_ = 1;  // batches of the scan under way
  std::uint64_t job_ = 0;
  std::vector<Other> others_;               // of rank 1 and following
  std::optional<UnderstoryError> failure_;  // of the job under way
  std::optional<UnderstoryError> lost_;     // once a rank is lost
};

}  // namespace understory
