// Traces batches and adds up what they yield.
#include "jobs/scanBatches.h"

#include <chrono>
#include <span>

#include "rows/directionHash.h"

namespace understory {
namespace {

void addTotals(const TracedBatch& traced, SlotRange range, BatchSums& sums) {
  for (std::size_t pulse = traced.firstPulse[range.from]; pulse < traced.firstPulse[range.to];
       ++pulse) {
    sums.hits += traced.rayHits[pulse];
    sums.returns += traced.returnCounts[pulse];
    for (std::size_t echo = 0; echo < traced.returnCounts[pulse]; ++echo) {
      const std::uint32_t instance = traced.returns[pulse * traced.maxReturns + echo].instance;
      if (instance != noInstance) sums.returnsOfInstance.add(instance);
    }
  }
  sums.returns += traced.falseAlarms.size();
}

}  // namespace

void BatchSums::add(const BatchSums& other) {
  hits += other.hits;
  returns += other.returns;
  traceSeconds += other.traceSeconds;
  returnsOfInstance.add(other.returnsOfInstance);
}

ScanBatches::ScanBatches(const TracedScene& scene, const ScanJob& job, const RowConsumer& consume,
                         const Watch& watch)
    : job_(job),
      tracer_(makeTracer(scene, job, {job.seed, job.alwaysFollowsPaths}, watch)),
      interval_(job.sensor, tracer_->numbering(), job.interval),
      writer_(job, interval_.firstPulse(), interval_.pulses(), job.chunkPulses, consume) {}

std::vector<BatchThread> ScanBatches::threads(std::size_t count) const {
  std::vector<BatchThread> threads(count);
  for (BatchThread& mine : threads) {
    mine.sums.returnsOfInstance = InstanceCounts(tracer_->scene().scene.instances.size());
    if (job_.mapping) mine.registered = noReturns(job_.mapping->map);
  }
  return threads;
}

void ScanBatches::work(std::uint64_t index, BatchYield& yield, BatchThread& mine) const {
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t batch = interval_.batch(index);
  const SlotRange range = interval_.rangeOf(index);
  mine.batch.storesDirections = job_.hashesDirections;
  mine.batch.storesShapes = needsShapes(writer_.columns());
  mine.batch.storesSupport =
      tracer_->learned() != nullptr &&
      std::ranges::find(writer_.columns(), ReturnColumn::support) != writer_.columns().end();
  tracer_->trace(batch, range, mine.batch);
  const RowContext context{
      tracer_->sensor(),          tracer_->numbering(), tracer_->optics(),
      tracer_->scene().instances, tracer_->detector(),  airClassesOf(tracer_->scene().scene),
      tracer_->scene().scene,     job_.motions,         job_.trajectory};
  fillColumns(context, batch, mine.batch, range, writer_.columns(), job_.withMisses, yield.rows);
  if (writer_.packsMisses()) {
    fillColumns(context, batch, mine.batch, range, writer_.columns(), true, mine.withMisses);
  }
  writer_.pack(yield.rows, mine.withMisses, yield.packed);
  if (job_.mapping) {
    const auto [timeNs, xM, yM, zM] = writer_.sensorPoints(yield.rows);
    const std::size_t count = yield.rows.rowEnd.empty() ? 0 : yield.rows.rowEnd.back();
    registerReturns(*job_.mapping, {count, timeNs, xM, yM, zM}, mine.registered);
  }
  addTotals(mine.batch, range, mine.sums);
  const std::size_t fromPulse = mine.batch.firstPulse[range.from];
  yield.pulses = mine.batch.firstPulse[range.to] - fromPulse;
  if (job_.hashesDirections) {
    yield.directions = directionDigest(
        std::span(mine.batch.directions)
            .subspan(fromPulse * tracer_->raysOfPulse(), yield.pulses * tracer_->raysOfPulse()));
  }
  mine.sums.traceSeconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace understory
