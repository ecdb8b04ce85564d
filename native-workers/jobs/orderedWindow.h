// Work that many threads do in any order and one thread takes in order. Workers claim numbers, at most so
// many ahead of the taker, so that memory is bounded and no thread waits for the slowest of a wave.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace understory {

// `Result` is what one piece of work yields; there are as many as the window is wide, used in turn.
template <typename Result>
class OrderedWindow {
 public:
  // `width` at least 1.
  OrderedWindow(std::uint64_t count, std::size_t width)
      : count_(count), results_(width), isDone_(width, 0) {}

  // The next piece of work; waits while the window is full. None: all are claimed, or it was stopped.
  std::optional<std::uint64_t> claim() {
    std::unique_lock lock(mutex_);
    moved_.wait(lock, [&] {
      return isStopped_ || claimed_ == count_ || claimed_ < taken_ + results_.size();
    });
    if (isStopped_ || claimed_ == count_) return std::nullopt;
    return claimed_++;
  }

  // Where a claimed piece's result goes, until finish().
  Result& result(std::uint64_t number) { return results_[number % results_.size()]; }

  void finish(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    isDone_[number % results_.size()] = 1;
    moved_.notify_all();
  }

  // The next result in order; waits for it. Null: all were taken, or it was stopped.
  Result* next() {
    std::unique_lock lock(mutex_);
    moved_.wait(lock, [&] {
      return isStopped_ || taken_ == count_ || isDone_[taken_ % results_.size()] != 0;
    });
    return isStopped_ || taken_ == count_ ? nullptr : &results_[taken_ % results_.size()];
  }

  // The result of next() is no longer needed.
  void take() {
    const std::lock_guard lock(mutex_);
    isDone_[taken_ % results_.size()] = 0;
    ++taken_;
    moved_.notify_all();
  }

  // Ends every wait: nothing more is claimed or taken.
  void stop() {
    const std::lock_guard lock(mutex_);
    isStopped_ = true;
    moved_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable moved_;
  std::uint64_t count_;
  std::uint64_t claimed_ = 0;
  std::uint64_t taken_ = 0;
  bool isStopped_ = false;
  std::vector<Result> results_;
  std::vector<std::uint8_t> isDone_;
};

}  // namespace understory
