// Threads of a job.
#pragma once

#include <cstddef>
#include <functional>

namespace understory {

// Calls body(0) to body(threads - 1), as far as possible at the same time; one call may begin only after another has
// ended. Returns when all have ended. Rethrows an exception of one of them.
void onThreads(std::size_t threads, const std::function<void(std::size_t thread)>& body);

// Calls piece(0) to piece(pieces - 1), each once, on at most so many threads, as onThreads.
void onAnyThreads(std::size_t threads, std::size_t pieces,
                  const std::function<void(std::size_t piece)>& piece);

}  // namespace understory
