// The pulses of the interval are traced as for rays and waveforms; one of them is explained.
#include "jobs/explainPulse.h"

#include <utility>

#include "jobs/visitPulses.h"

namespace understory {
namespace {

// One part of a batch: the pulse, where it is in it.
struct PartExplained {
  struct Pulse {
    std::uint64_t number = 0;
    ExplainedPulse explained;
  };
  TracedBatch traced;
  std::vector<Pulse> pulses;

  void clear() { pulses.clear(); }
};

ExplainedPulse explained(const PulseJob& job, const PulseTrace& trace) {
  ExplainedPulse pulse{explainSignal(job.sensor, trace.signal, job.seed, trace.name.number), {}};
  // Hits come ray by ray, along each ray by range.
  std::vector<std::uint8_t> numbers;
  for (std::size_t hit = 0; hit < trace.hits.size(); ++hit) {
    const bool isSameRay = hit > 0 && trace.rayOfHit[hit] == trace.rayOfHit[hit - 1];
    numbers.push_back(isSameRay ? static_cast<std::uint8_t>(numbers.back() + 1) : std::uint8_t{1});
  }
  for (const SignalHit& hit : pulse.signal.hits) pulse.hitNo.push_back(numbers[hit.index]);
  return pulse;
}

}  // namespace

std::optional<ExplainedPulse> explainPulse(const TracedScene& scene, const PulseJob& job,
                                           std::uint64_t pulse, const Watch& watch) {
  std::optional<ExplainedPulse> found;
  visitPulses<PartExplained>(
      scene, job, watch,
      [&](const PulseTrace& trace, PartExplained& part) {
        if (trace.name.number != pulse) return;
        part.pulses.push_back({pulse, explained(job, trace)});
      },
      [&](const PartExplained& part) {
        if (!part.pulses.empty()) found = part.pulses.front().explained;
      });
  return found;
}

}  // namespace understory
