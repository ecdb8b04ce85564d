// The one mutation of a process; nothing in the released worker.
#include "core/mutation.h"

#ifdef UNDERSTORY_MUTANTS

#include <array>
#include <atomic>
#include <string>
#include <utility>

#include "core/error.h"

namespace understory {
namespace {

constexpr std::array<std::pair<std::string_view, Mutation>, 7> names{{
    {"stencil-off-centre", Mutation::stencilOffCentre},
    {"strongest-is-closest", Mutation::strongestIsClosest},
    {"cutoff-ignored", Mutation::cutoffIgnored},
    {"centre-miss-drops-pulse", Mutation::centreMissDropsPulse},
    {"bias-of-each-ray", Mutation::biasOfEachRay},
    {"noise-on-empty-pulses", Mutation::noiseOnEmptyPulses},
    {"fourth-power", Mutation::fourthPower},
}};

// Atomic, although it is set before any thread of a scan starts: tests set it, too.
std::atomic<Mutation> active{Mutation::none};

}  // namespace

Mutation activeMutation() { return active.load(); }

void setMutation(std::string_view name) {
  if (name.empty()) {
    active.store(Mutation::none);
    return;
  }
  std::string known;
  for (const auto& [word, mutation] : names) {
    if (word == name) {
      active.store(mutation);
      return;
    }
    known += (known.empty() ? "" : ", ") + std::string(word);
  }
  throw UnderstoryError(ErrorCode::badInput,
                        "no mutation '" + std::string(name) + "': expected " + known);
}

}  // namespace understory

#endif
