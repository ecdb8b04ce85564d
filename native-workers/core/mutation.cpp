// The one mutation of a process.
#include "core/mutation.h"

#include <array>
#include <atomic>
#include <cmath>
#include <limits>
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
  throw UnderstoryError("bad-input", "no mutation '" + std::string(name) + "': expected " + known);
}

SensorRecipe mutated(SensorRecipe sensor) {
  switch (activeMutation()) {
    case Mutation::strongestIsClosest:
      if (sensor.returns.mode == ReturnMode::strongest) sensor.returns.mode = ReturnMode::closest;
      break;
    case Mutation::cutoffIgnored:
      sensor.returns.signalCutoffM = std::numeric_limits<double>::infinity();
      break;
    default:
      break;
  }
  return sensor;
}

double offCentreLeft(const BeamRecipe& beam) {
  const bool isOff = activeMutation() == Mutation::stencilOffCentre;
  return isOff ? 0.5 * std::tan(0.5 * beam.divergenceHorizontalRad) : 0.0;
}

}  // namespace understory
