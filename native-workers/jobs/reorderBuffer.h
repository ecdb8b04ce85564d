// A reorder buffer: many threads do pieces of work in any order, one thread consumes the results in order. Workers
// claim numbers, at most a fixed number ahead of the consumer, so that memory is bounded and no thread waits for the slowest
// of a wave.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace understory {

// Pieces of work [from, to).
struct PieceRange {
  std::uint64_t from = 0;
  std::uint64_t to = 0;

  bool isEmpty() const { return from == to; }
};

// `Result` is what one piece of work yields; there are `width` of them, used in turn.
template <typename Result>
class ReorderBuffer {
 public:
  // `width` at least 1.
  ReorderBuffer(std::uint64_t count, std::size_t width)
      : count_(count), results_(width), isDone_(width, 0) {}

  // The next pieces of work, `most` of them or fewer; waits while the buffer is full. None: all are claimed, or it was
  // stopped.
  PieceRange claim(std::uint64_t most = 1) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      return isStopped_ || claimed_ == count_ || claimed_ < consumed_ + results_.size();
    });
    const std::uint64_t from = claimed_;
    if (!isStopped_) {
      claimed_ = std::min({from + most, count_, consumed_ + results_.size()});
    }
    return {from, claimed_};
  }

  // The next piece of work; none where claim() would wait, too.
  std::optional<std::uint64_t> claimAtOnce() {
    const std::lock_guard lock(mutex_);
    if (isStopped_ || claimed_ == count_ || claimed_ == consumed_ + results_.size()) {
      return std::nullopt;
    }
    return claimed_++;
  }

  // How many pieces can still be claimed; 0 once it was stopped.
  std::uint64_t unclaimed() {
    const std::lock_guard lock(mutex_);
    return isStopped_ ? 0 : count_ - claimed_;
  }
  bool isStopped() {
    const std::lock_guard lock(mutex_);
    return isStopped_;
  }

  // Where a claimed piece's result goes, until finish(); and from next() to release().
  Result& result(std::uint64_t number) { return results_[number % results_.size()]; }

  void finish(std::uint64_t number) { finish({number, number + 1}); }
  void finish(PieceRange pieces) {
    const std::lock_guard lock(mutex_);
    for (std::uint64_t number = pieces.from; number < pieces.to; ++number) {
      isDone_[number % results_.size()] = 1;
    }
    changed_.notify_all();
  }

  // The next results in order, those of `most` that are done; waits for one. None: all were consumed, or it was stopped.
  PieceRange next(std::uint64_t most = 1) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return isStopped_ || consumed_ == count_ || isDone(consumed_); });
    std::uint64_t to = consumed_;
    while (!isStopped_ && to < std::min(claimed_, consumed_ + most) && isDone(to)) ++to;
    return {consumed_, to};
  }

  // The results of next() are no longer needed.
  void release(PieceRange pieces) {
    const std::lock_guard lock(mutex_);
    for (std::uint64_t number = pieces.from; number < pieces.to; ++number) {
      isDone_[number % results_.size()] = 0;
    }
    consumed_ = pieces.to;
    changed_.notify_all();
  }

  // Ends every wait: nothing more is claimed or consumed.
  void stop() {
    const std::lock_guard lock(mutex_);
    isStopped_ = true;
    changed_.notify_all();
  }

 private:
  bool isDone(std::uint64_t number) const { return isDone_[number % results_.size()] != 0; }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t count_;
  std::uint64_t claimed_ = 0;
  std::uint64_t consumed_ = 0;
  bool isStopped_ = false;
  std::vector<Result> results_;
  std::vector<std::uint8_t> isDone_;
};

}  // namespace understory
