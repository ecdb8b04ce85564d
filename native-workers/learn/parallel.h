// Pieces of a fixed size on all threads. What a piece writes must be its own, or sums of integers: then results do not
// depend on the number of threads.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <string>

#include "core/watch.h"

namespace understory {

// Calls body(from, to) for pieces of [0, count) of `piece` items, on any thread, in any order. Reports whole per cent.
// Throws 'cancelled'.
template <typename Body>
void inPieces(std::size_t count, std::size_t piece, const Watch& watch, const std::string& phase,
              Body&& body) {
  const std::size_t pieces = (count + piece - 1) / piece;
  std::atomic<std::size_t> done{0};
  tbb::parallel_for(
      tbb::blocked_range<std::size_t>(0, pieces, 1),
      [&](const tbb::blocked_range<std::size_t>& range) {
        for (std::size_t at = range.begin(); at < range.end(); ++at) {
          watch.throwIfCancelled();
          body(at * piece, std::min(count, (at + 1) * piece));
          const std::size_t now = ++done;
          const bool isNewPercent = now * 100 / pieces != (now - 1) * 100 / pieces;
          if (watch.onProgress && isNewPercent) watch.onProgress(phase, now, pieces);
        }
      },
      tbb::simple_partitioner());
}

// For loops over small items.
inline constexpr std::size_t pieceOfBeams = 1U << 14U;
// For lines through a model, one draw each.
inline constexpr std::size_t pieceOfLines = 1024;

}  // namespace understory
