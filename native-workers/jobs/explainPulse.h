// One pulse of an interval, explained: its signal, its echoes and what each return mode would form of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/returns/explainedSignal.h"
#include "core/watch.h"
#include "jobs/pulseJob.h"
#include "jobs/tracedScene.h"

namespace understory {

struct ExplainedPulse {
  ExplainedSignal signal;
  std::vector<std::uint8_t>
      hitNo;  // by index in signal.hits: number of the hit along its ray, from 1
};

// nullopt: the interval has no pulse of that number. Throws 'cancelled'.
std::optional<ExplainedPulse> explainPulse(const TracedScene& scene, const PulseJob& job,
                                           std::uint64_t pulse, const Watch& watch);

}  // namespace understory
