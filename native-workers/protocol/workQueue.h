// Calls that wait for a working thread, and those under way. Those of overlapping methods begin before the ones before them
// have ended: they prepare at once, work one after another, and end one after another, so that no thread is idle while a
// call begins or ends.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>

#include "protocol/rpc.h"

namespace understory {

struct Job {
  std::shared_ptr<Call> call;
  std::shared_ptr<Frame> request;
  const Handler* handler = nullptr;
  bool overlaps = false;
};

class WorkQueue {
 public:
  // So many overlapping calls at once: one that ends, one that works and one that begins.
  static constexpr std::size_t threads = 3;

  void push(Job&& job);

  // For the working threads: the next job, as soon as it may begin. end() follows it.
  Job next();
  void end(const Call& call);

  // As those of Call.
  void waitForTurn(const Call& call);
  void endTurn(const Call& call);
  void waitForEarlier(const Call& call);

 private:
  struct Working {
    const Call* call = nullptr;
    bool overlaps = false;
    bool hadTurn = false;
  };

  bool mayBegin(const Job& job) const;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  std::deque<Working> working_;  // in the order in which they began
};

}  // namespace understory
