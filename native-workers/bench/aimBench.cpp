// Where pulses go: the nine rays of a beam, and the frame of a slot (pose, azimuth).
#include <benchmark/benchmark.h>

#include "aim/beamRays.h"
#include "core/sensor/stencil.h"
#include "test/native/support/sensors.h"

namespace {

using namespace understory;

// A tick of a vehicle that drives and turns.
Trajectory driven() {
  Trajectory trajectory;
  for (int step = 0; step <= 10; ++step) {
    const double share = step / 10.0;
    trajectory.timesNs.push_back(step * 10'000'000);
    trajectory.poses.push_back(
        {{0.2 * share, 0.01 * share, 2.0}, rotationAbout({0.0, 0.0, 1.0}, 0.02 * share)});
  }
  return trajectory;
}

void stencil(benchmark::State& state) {
  const BeamRecipe beam = hdl64e(10.0).beam;
  for (auto _ : state) benchmark::DoNotOptimize(makeStencil(beam));
}
BENCHMARK(stencil);

void slotFrames(benchmark::State& state) {
  const SensorRecipe sensor = hdl64e(10.0);
  const Trajectory trajectory = driven();
  std::uint64_t slot = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(slotFrame(sensor, trajectory, slot));
    slot = (slot + 1) % 3125;
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(slotFrames);

}  // namespace
