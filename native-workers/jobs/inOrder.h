// Pieces of work done by many threads and taken in order by the calling one: for visits of every pulse, where a
// piece's cost hides that of starting threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <future>
#include <optional>
#include <vector>

#include "core/error.h"
#include "jobs/orderedWindow.h"

namespace understory {

// Calls work(number, result) for the pieces 0 to count - 1, from `threads` threads, in any order, at most `width`
// pieces ahead; and take(result) from the calling thread, in their order. Results are used again: `work` finds
// in them what an earlier piece left. Throws what work and take throw, and UnderstoryError 'cancelled'.
template <typename Result, typename Work, typename Take>
void inOrder(std::uint64_t count, std::size_t threads, std::size_t width,
             const std::atomic<bool>* isCancelled, Work&& work, Take&& take) {
  OrderedWindow<Result> window(count, width);
  const auto isOver = [&] { return isCancelled != nullptr && isCancelled->load(); };
  std::vector<std::future<void>> workers;
  const auto run = [&] {
    try {
      while (const std::optional<std::uint64_t> number = window.claim()) {
        if (isOver()) return window.stop();
        work(*number, window.result(*number));
        window.finish(*number);
      }
    } catch (...) {
      window.stop();
      throw;
    }
  };
  for (std::size_t thread = 0; thread < threads; ++thread) {
    workers.push_back(std::async(std::launch::async, run));
  }
  std::exception_ptr failure;
  try {
    while (Result* result = window.next()) {
      take(*result);
      window.take();
    }
  } catch (...) {
    failure = std::current_exception();
    window.stop();
  }
  for (std::future<void>& worker : workers) {
    try {
      worker.get();
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
  if (isOver()) throw cancelledError();
}

}  // namespace understory
