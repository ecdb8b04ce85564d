// One pulse with everything that was found between its rays and its returns, for visitors.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "aim/pulseFrame.h"
#include "core/returns/signal.h"
#include "core/sensor/stencil.h"
#include "pulses/rayPath.h"

namespace understory {

// Spans last for the call they come with.
struct PulseTrace {
  PulseName name;
  std::size_t numberInBatch = 0;
  const AimedPulse& aim;
  std::span<const StencilRay> rays;
  std::span<const PathHit> hits;            // ray by ray, along each ray by range
  std::span<const std::uint32_t> rayOfHit;  // by index in `hits`
  std::span<const SignalHit> signal;        // the same in order of range; `index` is that in `hits`
  std::span<const PulseReturn> returns;     // without noise
  std::span<const std::uint8_t> returnOfHit;  // by index in `signal`: its return, from 1; 0: none
};

// Called for the pulses asked for, laser by laser: not in order of their numbers.
using PulseVisitor = std::function<void(const PulseTrace&)>;

}  // namespace understory
