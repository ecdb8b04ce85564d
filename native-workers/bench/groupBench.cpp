// The arithmetic over a whole group of 16 pulses of an HDL-64E: where its rays go, what facets return, and
// the strongest hit of each pulse. Items are rays.
#include <benchmark/benchmark.h>

#include <numeric>
#include <random>

#include "aim/groupKernels.h"
#include "test/native/support/sensors.h"

namespace {

using namespace understory;

struct Group {
  SensorRecipe sensor = hdl64e(10.0);
  GroupOptics optics = groupOptics(sensor, beamOptics(sensor));
  std::vector<SlotFrame> slots;
  std::vector<std::uint8_t> pulses = std::vector<std::uint8_t>(pulsesPerGroup);
  GroupAxes axes{};
  GroupRays rays;
  GroupHits hits;

  Group() {
    const Trajectory stationary{{0}, {Pose{{0.0, 0.0, 2.0}, {}}}};
    for (std::uint64_t slot = 0; slot < slotsPerBatch; ++slot) {
      slots.push_back(slotFrame(sensor, stationary, slot));
    }
    std::iota(pulses.begin(), pulses.end(), std::uint8_t{0});
    aim();
    std::mt19937 random(1);
    std::uniform_real_distribution<float> share(0.0F, 1.0F);
    for (std::size_t cell = 0; cell < raysPerGroup; ++cell) {
      hits.rangeM[cell] = 10.0F + 4.0F * share(random);
      hits.facetX[cell] = share(random) - 0.5F;
      hits.facetY[cell] = share(random) - 0.5F;
      hits.facetZ[cell] = share(random) + 0.1F;
      hits.reflectance[cell] = share(random);
      hits.meets[cell] = share(random) < 0.9F ? 1 : 0;
    }
    shadeGroup(rays, hits);
  }
  void aim() {
    axesOfSlots(slots, pulses, optics.beam.lasers[1][7], axes);
    aimGroup(optics, axes, rays);
  }
};

void countRays(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(raysPerGroup));
}

void aimOfGroup(benchmark::State& state) {
  Group group;
  for (auto _ : state) {
    group.aim();
    benchmark::DoNotOptimize(group.rays);
  }
  countRays(state);
}
BENCHMARK(aimOfGroup);

void shadingOfGroup(benchmark::State& state) {
  Group group;
  for (auto _ : state) {
    shadeGroup(group.rays, group.hits);
    benchmark::DoNotOptimize(group.hits);
  }
  countRays(state);
}
BENCHMARK(shadingOfGroup);

void strongest(benchmark::State& state) {
  const Group group;
  GroupStrongest found;
  for (auto _ : state) {
    strongestOfGroup(group.hits, group.hits.intensity, 1.0, found);
    benchmark::DoNotOptimize(found);
  }
  countRays(state);
}
BENCHMARK(strongest);

}  // namespace
