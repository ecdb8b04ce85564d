// jobs/threads.h without TBB, whose own synchronisation the thread sanitizer cannot see: so nothing is suppressed.
#include "jobs/threads.h"

#include <exception>
#include <thread>
#include <vector>

namespace understory {

void onThreads(std::size_t threads, const std::function<void(std::size_t thread)>& body) {
  std::vector<std::exception_ptr> failures(threads);
  {
    std::vector<std::jthread> running;
    for (std::size_t thread = 0; thread < threads; ++thread) {
      running.emplace_back([&, thread] {
        try {
          body(thread);
        } catch (...) {
          failures[thread] = std::current_exception();
        }
      });
    }
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace understory
