// How each return mode would form returns of one pulse's signal, with the hits and echoes that it would form them of.
// Everything is SignalEvaluator's own: a mode is explained by evaluating the signal in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/returns/signal.h"
#include "core/sensor/sensorRecipe.h"

namespace understory {

struct ExplainedEcho {
  SignalEcho echo;
  bool isDetected = false;  // reaches the threshold
};

struct ExplainedReturn {
  ReturnMode mode = ReturnMode::strongest;
  std::uint32_t echo = 0;  // index in ExplainedSignal::echoes
  FormedReturn formed;
};

struct ExplainedSignal {
  std::vector<SignalHit> hits;        // in the order of SignalEvaluator::evaluate
  std::size_t seenHits = 0;           // the first so many pass the gate
  std::vector<ExplainedEcho> echoes;  // by range
  std::vector<ExplainedReturn>
      returns;  // mode by mode in the order of ReturnMode, each in order of return_no
};

// `hits` in any order. Without noise.
ExplainedSignal explainSignal(const SensorRecipe& sensor, std::span<const SignalHit> hits);

}  // namespace understory
