// How each return mode would form returns of one pulse's signal, with the hits and echoes that it would form them of.
// Everything is SignalEvaluator's own: a mode is explained by evaluating the signal in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "contract/sensorRecipe.h"
#include "core/returns/signal.h"

namespace understory {

// An echo; or one that the detection limit loses, of a sensor that does not separate echoes of several hits.
struct ExplainedEcho {
  SignalEcho echo;
  bool isDetected = false;
};

struct ExplainedReturn {
  ReturnMode mode = ReturnMode::strongest;
  std::uint32_t echo = 0;  // index in ExplainedSignal::echoes
  FormedReturn formed;
};

struct ExplainedSignal {
  std::vector<SignalHit> hits;        // in the order of SignalEvaluator::evaluate
  std::size_t seenHits = 0;           // the first so many are detected
  std::size_t lostHits = 0;           // the next so many are lost by the detection limit
  std::vector<ExplainedEcho> echoes;  // detected ones by range, then lost ones by range
  // Mode by mode in the order of ReturnMode, each in order of return_no. Modes of several returns have none where the
  // sensor does not separate echoes.
  std::vector<ExplainedReturn> returns;
};

// `hits` in any order, those of pulse `pulse`; `seed` that of the scan. Without noise of ranges.
ExplainedSignal explainSignal(const SensorRecipe& sensor, std::span<const SignalHit> hits,
                              std::uint64_t seed = 0, std::uint64_t pulse = 0);

}  // namespace understory
