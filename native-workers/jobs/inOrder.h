// Pieces of work done by many threads and consumed in order by one more: the one threading pattern of jobs.
#pragma once

#include <cstdint>
#include <exception>
#include <future>
#include <optional>
#include <vector>

#include "core/watch.h"
#include "jobs/reorderBuffer.h"
#include "jobs/threads.h"

namespace understory {

// Calls work(number, result, local) for the pieces 0 to count - 1, on `threads` threads, in any order, at most `width`
// pieces ahead, and consume(result) on one further thread, in order. Results are used again: `work` finds
// in them what an earlier piece left. `locals` are the threads' own, as many as threads; which pieces meet in one is
// not determined. Whatever work or consume throws stops the job and is rethrown, as is UnderstoryError 'cancelled'.
template <typename Result, typename Local, typename Work, typename Consume>
void inOrder(std::uint64_t count, std::size_t width, const Watch& watch, std::vector<Local>& locals,
             Work&& work, Consume&& consume) {
  ReorderBuffer<Result> buffer(count, width);
  // Why caught: a thread that waits for the other side would wait without end.
  const auto stopping = [&](auto&& body) {
    try {
      body();
    } catch (...) {
      buffer.stop();
      throw;
    }
  };
  std::future<void> consumer = std::async(std::launch::async, [&] {
    stopping([&] {
      while (Result* result = buffer.next()) {
        consume(*result);
        buffer.release();
      }
    });
  });
  std::exception_ptr failure;
  try {
    onThreads(locals.size(), [&](std::size_t thread) {
      stopping([&] {
        while (const std::optional<std::uint64_t> number = buffer.claim()) {
          if (watch.isOver()) return buffer.stop();
          work(*number, buffer.result(*number), locals[thread]);
          buffer.finish(*number);
        }
      });
    });
  } catch (...) {
    failure = std::current_exception();
    buffer.stop();
  }
  try {
    consumer.get();
  } catch (...) {
    if (!failure) failure = std::current_exception();
  }
  if (failure) std::rethrow_exception(failure);
  watch.throwIfCancelled();
}

}  // namespace understory
