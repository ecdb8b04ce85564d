// Pieces of work done by many threads and consumed in order by one more: the one threading pattern of jobs.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <mutex>
#include <vector>

#include "core/watch.h"
#include "jobs/reorderBuffer.h"
#include "jobs/threads.h"

namespace understory {

// Work on pieces of the buffer elsewhere, as by other processes: claims and finishes until none is left.
template <typename Result>
using FurtherWork = std::function<void(ReorderBuffer<Result>&)>;

template <typename Result>
struct InOrderOptions {
  FurtherWork<Result> further{};  // works beside the threads, on one more
  std::function<void()>
      onAllClaimed{};                // called once no piece is left to claim, by one of the threads
  std::uint64_t piecesPerClaim = 1;  // of a thread, where that many are free
};

// Calls work(number, result, local) for the pieces 0 to count - 1, on `threads` threads, in any order, at most `width`
// pieces ahead, and consume(result) on one further thread, in order. Results are used again: `work` finds
// in them what an earlier piece left. `locals` are the threads' own, as many as threads; which pieces meet in one is
// not determined. Whatever work, consume or further throws stops the job and is rethrown, as is UnderstoryError
// 'cancelled'.
template <typename Result, typename Local, typename Work, typename Consume>
void inOrder(std::uint64_t count, std::size_t width, const Watch& watch, std::vector<Local>& locals,
             Work&& work, Consume&& consume, const InOrderOptions<Result>& options = {}) {
  const auto& [further, onAllClaimed, piecesPerClaim] = options;
  ReorderBuffer<Result> buffer(count, width);
  std::once_flag allClaimed;
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
      for (PieceRange done = buffer.next(piecesPerClaim); !done.isEmpty();
           done = buffer.next(piecesPerClaim)) {
        for (std::uint64_t number = done.from; number < done.to; ++number) {
          consume(buffer.result(number));
        }
        buffer.release(done);
      }
    });
  });
  std::future<void> elsewhere;
  if (further) {
    elsewhere = std::async(std::launch::async, [&] { stopping([&] { further(buffer); }); });
  }
  std::exception_ptr failure;
  try {
    onThreads(locals.size(), [&](std::size_t thread) {
      stopping([&] {
        for (PieceRange mine = buffer.claim(piecesPerClaim); !mine.isEmpty();
             mine = buffer.claim(piecesPerClaim)) {
          for (std::uint64_t number = mine.from; number < mine.to; ++number) {
            if (watch.isOver()) return buffer.stop();
            work(number, buffer.result(number), locals[thread]);
          }
          buffer.finish(mine);
        }
        if (onAllClaimed) std::call_once(allClaimed, onAllClaimed);
      });
    });
  } catch (...) {
    failure = std::current_exception();
    buffer.stop();
  }
  for (std::future<void>* other : {&elsewhere, &consumer}) {
    if (!other->valid()) continue;
    try {
      other->get();
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
  watch.throwIfCancelled();
}

}  // namespace understory
