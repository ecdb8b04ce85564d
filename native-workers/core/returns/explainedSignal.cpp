// One evaluation for each mode; echoes are the same in all.
#include "core/returns/explainedSignal.h"

#include <algorithm>
#include <utility>

namespace understory {
namespace {

// The echo whose hits begin there: no two begin at one hit.
std::uint32_t echoFrom(const ExplainedSignal& signal, std::size_t firstHit) {
  const auto found = std::ranges::find(signal.echoes, firstHit, [](const ExplainedEcho& explained) {
    return explained.echo.hits.from;
  });
  return static_cast<std::uint32_t>(found - signal.echoes.begin());
}

}  // namespace

ExplainedSignal explainSignal(const SensorRecipe& sensor, std::span<const SignalHit> hits,
                              std::uint64_t seed, std::uint64_t pulse) {
  ExplainedSignal signal;
  SensorRecipe other = sensor;
  for (std::size_t mode = 0; mode < WordsOf<ReturnMode>::words.size(); ++mode) {
    other.returns.mode = static_cast<ReturnMode>(mode);
    SignalEvaluator evaluator(other, seed);
    std::vector<SignalHit> ordered(hits.begin(), hits.end());
    evaluator.evaluate(ordered, pulse);
    if (mode == 0) {
      for (const SignalEcho& echo : evaluator.echoes()) signal.echoes.push_back({echo, true});
      signal.seenHits = evaluator.signalHits();
      for (const SignalEcho& echo : evaluator.lostEchoes()) {
        signal.lostHits += echo.hits.to - echo.hits.from;
        signal.echoes.push_back({echo, false});
      }
      signal.hits = std::move(ordered);
    }
    if (hasSeveralReturns(other.returns.mode) && !separatesEchoes(other.returns)) continue;
    for (const FormedReturn& formed : evaluator.formed()) {
      signal.returns.push_back({other.returns.mode, echoFrom(signal, formed.echo.from), formed});
    }
  }
  return signal;
}

}  // namespace understory
