// TBB's threads, which outlive a job: starting threads would cost more than a short scan.
#include "jobs/threads.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

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

}  // namespace understory
