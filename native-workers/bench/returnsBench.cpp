// From the hits of a pulse to its returns, by mode; items are pulses. A third of the pulses have all nine
// rays at one distance, a third see two things, a third miss with most rays.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "core/returns/returns.h"

namespace {

using namespace understory;

constexpr std::size_t pulses = 300;

std::vector<std::vector<RayHit>> sampleHits() {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> share(0.0F, 1.0F);
  std::vector<std::vector<RayHit>> all(pulses);
  for (std::size_t pulse = 0; pulse < pulses; ++pulse) {
    const float nearM = 5.0F + 40.0F * share(random);
    const std::size_t rays = pulse % 3 == 2 ? 3 : 9;
    for (std::size_t ray = 0; ray < rays; ++ray) {
      RayHit hit;
      const bool isBehind = pulse % 3 == 1 && share(random) < 0.5F;
      hit.rangeM = nearM + 0.05F * share(random) + (isBehind ? 8.0F : 0.0F);
      hit.intensity = share(random);
      hit.weight = 1.0F / 9.0F;
      hit.instance = isBehind ? 2 : 1;
      hit.primitive = static_cast<std::uint32_t>(ray);
      all[pulse].push_back(hit);
    }
  }
  return all;
}

void returns(benchmark::State& state, ReturnMode mode, bool isWindowed) {
  const std::vector<std::vector<RayHit>> all = sampleHits();
  ReturnsRecipe recipe;
  recipe.mode = mode;
  recipe.signalCutoffM = 1.0;
  recipe.window = isWindowed;
  for (auto _ : state) {
    for (const std::vector<RayHit>& hits : all) {
      benchmark::DoNotOptimize(evaluateReturns(hits, recipe));
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(pulses));
}
BENCHMARK_CAPTURE(returns, closest, ReturnMode::closest, false);
BENCHMARK_CAPTURE(returns, first, ReturnMode::first, false);
BENCHMARK_CAPTURE(returns, strongest, ReturnMode::strongest, false);
BENCHMARK_CAPTURE(returns, strongestWindowed, ReturnMode::strongest, true);
BENCHMARK_CAPTURE(returns, last, ReturnMode::last, false);

}  // namespace
