// One evaluation for the echoes, and one for each mode.
#include "core/returns/explainedSignal.h"

#include <algorithm>

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

ExplainedSignal explainSignal(const SensorRecipe& sensor, std::span<const SignalHit> hits) {
  ExplainedSignal signal;
  SensorRecipe other = sensor;
  other.returns.detectionThreshold = 0.0;
  SignalEvaluator ofAllEchoes(other);
  signal.hits.assign(hits.begin(), hits.end());
  ofAllEchoes.evaluate(signal.hits);
  signal.seenHits = static_cast<std::size_t>(std::ranges::count_if(
      hits, [&](const SignalHit& hit) { return isSeen(sensor.returns, hit); }));
  for (const SignalEcho& echo : ofAllEchoes.echoes()) {
    signal.echoes.push_back({echo, echo.strength >= sensor.returns.detectionThreshold});
  }
  other.returns.detectionThreshold = sensor.returns.detectionThreshold;
  for (std::size_t mode = 0; mode < WordsOf<ReturnMode>::words.size(); ++mode) {
    other.returns.mode = static_cast<ReturnMode>(mode);
    SignalEvaluator evaluator(other);
    std::vector<SignalHit> ordered(hits.begin(), hits.end());
    evaluator.evaluate(ordered);
    for (const FormedReturn& formed : evaluator.formed()) {
      signal.returns.push_back({other.returns.mode, echoFrom(signal, formed.echo.from), formed});
    }
  }
  return signal;
}

}  // namespace understory
