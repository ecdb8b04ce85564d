// One lock for all: calls are few.
#include "protocol/workQueue.h"

#include <algorithm>
#include <utility>

namespace understory {

void WorkQueue::push(Job&& job) {
  const std::lock_guard lock(mutex_);
  jobs_.push_back(std::move(job));
  changed_.notify_all();
}

Job WorkQueue::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !jobs_.empty() && mayBegin(jobs_.front()); });
  Job job = std::move(jobs_.front());
  jobs_.pop_front();
  working_.push_back({job.call.get(), job.overlaps});
  // Why: another thread may wait for the next one, which may begin, too.
  changed_.notify_all();
  return job;
}

void WorkQueue::end(const Call& call) {
  const std::lock_guard lock(mutex_);
  std::erase_if(working_, [&](const Working& working) { return working.call == &call; });
  changed_.notify_all();
}

void WorkQueue::waitForTurn(const Call& call) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] {
    const auto own = std::ranges::find(working_, &call, &Working::call);
    return std::all_of(working_.begin(), own,
                       [](const Working& earlier) { return earlier.hadTurn; });
  });
}

void WorkQueue::endTurn(const Call& call) {
  const std::lock_guard lock(mutex_);
  std::ranges::find(working_, &call, &Working::call)->hadTurn = true;
  changed_.notify_all();
}

void WorkQueue::waitForEarlier(const Call& call) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return working_.front().call == &call; });
}

bool WorkQueue::mayBegin(const Job& job) const {
  return working_.empty() || (job.overlaps && working_.back().overlaps);
}

}  // namespace understory
