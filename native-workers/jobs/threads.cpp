// TBB's threads, which outlive a job: starting threads would cost more than a short scan.
#include "jobs/threads.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>

namespace understory {

void onThreads(std::size_t threads, const std::function<void(std::size_t thread)>& body) {
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, threads, 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t thread = range.begin(); thread < range.end(); ++thread) body(thread);
        },
        tbb::simple_partitioner());
  });
}

void onAnyThreads(std::size_t threads, std::size_t pieces,
                  const std::function<void(std::size_t piece)>& piece) {
  if (pieces == 0) return;
  std::atomic<std::size_t> next{0};
  onThreads(std::min(threads, pieces), [&](std::size_t) {
    for (std::size_t mine = next++; mine < pieces; mine = next++) piece(mine);
  });
}

}  // namespace understory
