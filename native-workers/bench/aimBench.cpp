// Where rays go: the frame of a slot (pose, azimuth), and the nine directions of each pulse of a group.
#include <benchmark/benchmark.h>

#include "core/sensor/stencil.h"
#include "test/native/support/sensors.h"
#include "trace/beamRays.h"
#include "trace/rayGroups.h"

namespace {

using namespace understory;

// A tick of a vehicle that drives and turns.
Trajectory driven() {
  Trajectory trajectory;
  for (int step = 0; step <= 10; ++step) {
    const double share = step / 10.0;
    trajectory.timesNs.push_back(step * 10'000'000);
    trajectory.poses.push_back({{0.2 * share, 0.01 * share, 2.0},
                                rotationAbout({0.0, 0.0, 1.0}, 0.02 * share)});
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

// Items are rays.
void aimGroup(benchmark::State& state) {
  const SensorRecipe sensor = hdl64e(10.0);
  const Trajectory trajectory = driven();
  const BeamOptics optics = beamOptics(sensor);
  std::array<SlotFrame, pulsesPerGroup> slots;
  for (std::size_t slot = 0; slot < pulsesPerGroup; ++slot) {
    slots[slot] = slotFrame(sensor, trajectory, slot);
  }
  std::array<Vec3f, raysPerGroup> directions;
  for (auto _ : state) {
    for (std::size_t pulse = 0; pulse < pulsesPerGroup; ++pulse) {
      const PulseAxes axes = pulseAxes(slots[pulse], optics.lasers[1][7]);
      for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
        directions[pulse * raysPerPulse + ray] = rayDirection(optics, axes, ray);
      }
    }
    benchmark::DoNotOptimize(directions);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(raysPerGroup));
}
BENCHMARK(aimGroup);

}  // namespace
