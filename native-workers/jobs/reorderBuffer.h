// A reorder buffer: many threads do pieces of work in any order, one thread consumes the results in order. Workers
// claim numbers, at most so many ahead of the consumer, so that memory is bounded and no thread waits for the slowest
// of a wave.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace understory {

// `Result` is what one piece of work yields; there are `width` of them, used in turn.
template <typename Result>
class ReorderBuffer {
 public:
  // `width` at least 1.
  ReorderBuffer(std::uint64_t count, std::size_t width)
      : count_(count), results_(width), isDone_(width, 0) {}

  // The next piece of work; waits while the buffer is full. None: all are claimed, or it was stopped.
  std::optional<std::uint64_t> claim() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      return isStopped_ || claimed_ == count_ || claimed_ < consumed_ + results_.size();
    });
    if (isStopped_ || claimed_ == count_) return std::nullopt;
    return claimed_++;
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

  // Where a claimed piece's result goes, until finish().
  Result& result(std::uint64_t number) { return results_[number % results_.size()]; }

  void finish(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    isDone_[number % results_.size()] = 1;
    changed_.notify_all();
  }

  // The next result in order; waits for it. Null: all were consumed, or it was stopped.
  Result* next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      return isStopped_ || consumed_ == count_ || isDone_[consumed_ % results_.size()] != 0;
    });
    return isStopped_ || consumed_ == count_ ? nullptr : &results_[consumed_ % results_.size()];
  }

  // The result of next() is no longer needed.
  void release() {
    const std::lock_guard lock(mutex_);
    isDone_[consumed_ % results_.size()] = 0;
    ++consumed_;
    changed_.notify_all();
  }

  // Ends every wait: nothing more is claimed or consumed.
  void stop() {
    const std::lock_guard lock(mutex_);
    isStopped_ = true;
    changed_.notify_all();
  }

 private:
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
