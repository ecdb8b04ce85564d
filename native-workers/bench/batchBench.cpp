// One batch of slots of an HDL-64E between walls, on one thread: traced into returns, then made into columns.
// The scene is so small that tracing costs what surrounds Embree rather than Embree. Items are pulses.
#include <benchmark/benchmark.h>

#include "pulses/batchTracer.h"
#include "rows/scanColumns.h"
#include "test/native/support/scenes.h"

namespace {

using namespace understory;

struct Walls {
  std::unique_ptr<const TracedScene> scene;
  SensorRecipe sensor = hdl64e(10.0);
  Trajectory trajectory{{0}, {Pose{{0.0, 0.0, 0.0}, {}}}};

  Walls() {
    SceneMaker maker;
    const std::uint16_t wall = maker.model(wallMesh(40.0F, 8, maker.material(0.4F)));
    for (int side = 0; side < 4; ++side) {
      const double angleRad = piRad / 2.0 * side;
      maker.place(wall, {20.0 * std::cos(angleRad), 20.0 * std::sin(angleRad), 0.0},
                  rotationAbout({0.0, 0.0, 1.0}, angleRad));
    }
    scene = maker.build(testDevice(1));
  }
};

void traceBlock(benchmark::State& state) {
  const Walls walls;
  const SourceTracer<EmbreeScene> tracer(walls.scene->triangles(), walls.scene->truth(),
                                         walls.sensor, walls.trajectory);
  TracedBatch traced;
  for (auto _ : state) {
    tracer.trace(1, {}, traced);
    benchmark::DoNotOptimize(traced.returns.data());
  }
  state.SetItemsProcessed(state.iterations() * traced.firstPulse[slotsPerBatch]);
}
BENCHMARK(traceBlock);

const Motions noMotions;

void columnsOfBlock(benchmark::State& state, const std::vector<ReturnColumn>& columns) {
  const Walls walls;
  const SourceTracer<EmbreeScene> tracer(walls.scene->triangles(), walls.scene->truth(),
                                         walls.sensor, walls.trajectory);
  TracedBatch traced;
  tracer.trace(1, {}, traced);
  const RowContext context{tracer.sensor(),          tracer.numbering(), tracer.optics(),
                           tracer.scene().instances, tracer.detector(),  {},
                           tracer.scene().scene,     noMotions,          walls.trajectory};
  ColumnRows rows;
  for (auto _ : state) {
    fillColumns(context, 1, traced, {}, columns, false, rows);
    benchmark::DoNotOptimize(rows.columns.data());
  }
  state.SetItemsProcessed(state.iterations() * traced.firstPulse[slotsPerBatch]);
}
BENCHMARK_CAPTURE(columnsOfBlock, places,
                  {ReturnColumn::xM, ReturnColumn::yM, ReturnColumn::zM, ReturnColumn::intensity,
                   ReturnColumn::ring, ReturnColumn::timeNs});
BENCHMARK_CAPTURE(columnsOfBlock, all, allColumns());

}  // namespace
