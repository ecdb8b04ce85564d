// A signal explained mode by mode is what SignalEvaluator makes of it in each mode, at random; and what is lost is
// there.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/random/philox.h"
#include "core/returns/explainedSignal.h"
#include "test/native/support/hits.h"

using namespace understory;

namespace {

constexpr float eighth = 0.125F;

std::vector<SignalHit> randomHits(RandomStream& random) {
  std::vector<SignalHit> hits;
  for (std::uint32_t ray = 0; ray < 8; ++ray) {
    if (random.uniform() < 0.2) continue;
    hits.push_back(hitAt(static_cast<float>(random.uniform(4.0, 7.0)),
                         static_cast<float>(random.uniform(0.0, 1.0)), eighth, ray));
  }
  return hits;
}

SensorRecipe sensorWith(double resolutionM, double threshold, bool isWindowed, bool hasWaveform) {
  SensorRecipe sensor;
  sensor.maxRangeM = 200.0;
  sensor.returns.signalCutoffM = 0.5;
  sensor.returns.rangeResolutionM = resolutionM;
  sensor.returns.detectionThreshold = threshold;
  sensor.returns.window = isWindowed;
  sensor.returns.gate = ReflectanceGate{5.0, 20.0, 0.3, 0.3};
  if (hasWaveform) sensor.returns.waveform = WaveformRecipe{1.0, 4.0};
  return sensor;
}

double weightOf(const ExplainedSignal& signal, HitRange range) {
  double sum = 0.0;
  for (std::size_t hit = range.from; hit < range.to; ++hit) {
    sum += static_cast<double>(signal.hits[hit].weight);
  }
  return sum;
}

// How many of the returns of a mode differ from those of a sensor in that mode.
std::size_t differences(const SensorRecipe& sensor, const std::vector<SignalHit>& hits,
                        const ExplainedSignal& signal, ReturnMode mode) {
  SensorRecipe own = sensor;
  own.returns.mode = mode;
  if (hasSeveralReturns(mode) && !separatesEchoes(own.returns)) {
    return static_cast<std::size_t>(
        std::ranges::count(signal.returns, mode, &ExplainedReturn::mode));
  }
  SignalEvaluator evaluator(own);
  std::vector<SignalHit> ordered = hits;
  const auto returns = evaluator.evaluate(ordered);
  std::size_t next = 0;
  std::size_t different = 0;
  for (const auto& [explainedMode, echo, formed] : signal.returns) {
    if (explainedMode != mode) continue;
    if (next == returns.size()) return different + 1;
    const PulseReturn& expected = returns[next++];
    const HitRange of = signal.echoes.at(echo).echo.hits;
    const bool isSame = static_cast<float>(formed.rangeM) == expected.rangeM &&
                        static_cast<float>(formed.beamShare) == expected.beamShare &&
                        formed.decidingHit == expected.decidingHit &&
                        signal.hits[formed.decidingHit].ray == ordered[expected.decidingHit].ray &&
                        signal.echoes[echo].isDetected && of.from <= formed.decidingHit &&
                        formed.decidingHit < of.to &&
                        std::abs(weightOf(signal, formed.shared) - formed.beamShare) < 1e-12;
    different += isSame ? 0 : 1;
  }
  return different + (returns.size() - next);
}

}  // namespace

TEST_CASE("every mode is explained as a sensor in that mode evaluates it") {
  RandomStream random(5, RandomPurpose::beam, 1);
  std::size_t different = 0;
  std::size_t returned = 0;
  for (int pulse = 0; pulse < 4000; ++pulse) {
    const std::vector<SignalHit> hits = randomHits(random);
    const SensorRecipe sensor = sensorWith(pulse % 3 == 0 ? 0.0 : 0.4, pulse % 2 == 0 ? 0.0 : 0.08,
                                           pulse % 5 == 0, pulse % 7 == 0);
    const ExplainedSignal signal = explainSignal(sensor, hits);
    returned += signal.returns.size();
    for (std::size_t mode = 0; mode < WordsOf<ReturnMode>::words.size(); ++mode) {
      different += differences(sensor, hits, signal, static_cast<ReturnMode>(mode));
    }
  }
  CHECK(different == 0);
  CHECK(returned > 20'000);
}

TEST_CASE("hits below the gate and echoes below the threshold are explained, too") {
  const std::vector<SignalHit> hits{hitAt(6.0F, 0.9F, 0.5F, 0), hitAt(5.5F, 0.4F, 0.3F, 1),
                                    hitAt(5.2F, 0.1F, 0.2F, 2)};
  const ExplainedSignal signal = explainSignal(sensorWith(0.2, 0.3, false, false), hits);
  CHECK(signal.seenHits == 1);
  CHECK(signal.lostHits == 1);
  REQUIRE(signal.hits.size() == 3);
  CHECK(signal.hits[0].ray == 0);
  CHECK(signal.hits[1].ray == 1);
  CHECK(signal.hits[2].ray == 2);
  REQUIRE(signal.echoes.size() == 2);
  CHECK(signal.echoes[0].isDetected);
  CHECK_FALSE(signal.echoes[1].isDetected);
  CHECK(signal.echoes[1].echo.rangeM == doctest::Approx(5.5));
  CHECK(signal.echoes[1].echo.strength == doctest::Approx(0.12));
  CHECK(signal.returns.size() == WordsOf<ReturnMode>::words.size());
}

TEST_CASE("averaged hits are those whose mean is the range") {
  const std::vector<SignalHit> hits{hitAt(10.0F, 0.5F, 0.5F, 0), hitAt(10.2F, 0.6F, 0.5F, 1)};
  const ExplainedSignal grouped = explainSignal(sensorWith(0.4, 0.0, false, false), hits);
  for (const ExplainedReturn& one : grouped.returns) {
    CHECK(one.formed.averaged.to - one.formed.averaged.from == 2);
    CHECK(one.formed.rangeM == doctest::Approx((0.25 * 10.0 + 0.3 * 10.2) / 0.55).epsilon(1e-7));
  }
  const ExplainedSignal single = explainSignal(sensorWith(0.0, 0.0, false, false), hits);
  for (const ExplainedReturn& one : single.returns) {
    const bool isFirst = one.mode == ReturnMode::first;
    CHECK(one.formed.averaged.to - one.formed.averaged.from == (isFirst ? 2 : 0));
  }
}
