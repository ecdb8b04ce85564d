// Random numbers: one Philox block, and numbers drawn one after the other from a keyed stream.
#include <benchmark/benchmark.h>

#include "core/random/philox.h"

namespace {

using namespace understory;

void philox(benchmark::State& state) {
  std::array<std::uint32_t, 4> counter{};
  for (auto _ : state) {
    benchmark::DoNotOptimize(philoxBlock(counter, {1, 2}));
    ++counter[0];
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(philox);

void uniforms(benchmark::State& state) {
  RandomStream stream(1, RandomPurpose::scatter, 2);
  for (auto _ : state) benchmark::DoNotOptimize(stream.uniform());
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(uniforms);

}  // namespace
