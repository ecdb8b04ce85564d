// The one mutation of a process; nothing in the released worker.
#include "core/mutation.h"

#ifdef UNDERSTORY_MUTANTS

#include <algorithm>
#include <atomic>
#include <string>

#include "core/error.h"

namespace understory {
namespace {

// Atomic, although it is set before any thread of a scan starts: tests set it, too.
std::atomic<Mutation> active{Mutation::none};

}  // namespace

Mutation activeMutation() { return active.load(); }

void setMutation(std::string_view name) {
  const auto& words = WordsOf<Mutation>::words;
  const auto found = std::ranges::find(words, name);
  if (found == words.end()) {
    throw UnderstoryError(ErrorCode::badInput, "no mutation '" + std::string(name) + "'");
  }
  active.store(static_cast<Mutation>(found - words.begin()));
}

}  // namespace understory

#endif
