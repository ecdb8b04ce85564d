// Threads trace batches in any order, one more thread writes their rows in order.
#include "jobs/scan.h"

#include <algorithm>
#include <chrono>

#include "jobs/inOrder.h"
#include "jobs/tracers.h"
#include "rows/directionHash.h"
#include "rows/rowWriter.h"
#include "rows/scanColumns.h"

namespace understory {
namespace {

constexpr std::uint64_t pulsesPerReport = 65536;

// The sums of one thread. Of integers: the order in which threads add does not matter.
struct ThreadTotals {
  TracedBatch batch;
  std::uint64_t hits = 0;
  std::uint64_t returns = 0;
  double traceSeconds = 0.0;
  std::vector<std::uint32_t> returnsOfInstance;
};

// The yield of one batch.
struct BatchYield {
  std::uint64_t pulses = 0;
  ColumnRows rows;
  std::vector<PackedPart> packed;
  ColumnHash::Digest directions{};
};

void addTotals(const TracedBatch& traced, SlotRange range, ThreadTotals& totals) {
  for (std::size_t pulse = traced.firstPulse[range.from]; pulse < traced.firstPulse[range.to];
       ++pulse) {
    totals.hits += traced.rayHits[pulse];
    totals.returns += traced.returnCounts[pulse];
    for (std::size_t echo = 0; echo < traced.returnCounts[pulse]; ++echo) {
      ++totals.returnsOfInstance[traced.returns[pulse * traced.maxReturns + echo].instance];
    }
  }
  totals.returns += traced.falseAlarms.size();
}

// Traces a batch, fills its rows and packs them.
void workBatch(const BatchTracer& tracer, const ScanJob& job, const RowWriter& writer,
               std::uint64_t batch, SlotRange range, ThreadTotals& mine, BatchYield& yield) {
  const auto start = std::chrono::steady_clock::now();
  mine.batch.storesDirections = job.hashesDirections;
  mine.batch.storesShapes = needsShapes(writer.columns());
  tracer.trace(batch, range, mine.batch);
  const RowContext context{tracer.sensor(),     tracer.numbering(),
                           tracer.optics(),     tracer.scene().instances,
                           tracer.detector(),   noiseClassOf(tracer.scene().scene),
                           tracer.scene().scene};
  fillColumns(context, batch, mine.batch, range, writer.columns(), job.withMisses, yield.rows);
  writer.pack(yield.rows, yield.packed);
  addTotals(mine.batch, range, mine);
  const std::size_t fromPulse = mine.batch.firstPulse[range.from];
  yield.pulses = mine.batch.firstPulse[range.to] - fromPulse;
  if (job.hashesDirections) {
    yield.directions = directionDigest(
        std::span(mine.batch.directions)
            .subspan(fromPulse * tracer.raysOfPulse(), yield.pulses * tracer.raysOfPulse()));
  }
  mine.traceSeconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void addTo(ScanTotals& totals, const std::vector<ThreadTotals>& threads) {
  for (const ThreadTotals& mine : threads) {
    totals.hits += mine.hits;
    totals.returns += mine.returns;
    totals.traceSeconds += mine.traceSeconds / static_cast<double>(threads.size());
    for (std::size_t instance = 0; instance < mine.returnsOfInstance.size(); ++instance) {
      totals.returnsOfInstance[instance] += mine.returnsOfInstance[instance];
    }
  }
}

}  // namespace

ScanTotals scan(const TracedScene& scene, const ScanJob& job, const ScanSink& sink) {
  const std::unique_ptr<const BatchTracer> made =
      makeTracer(scene, job, {job.seed, job.alwaysFollowsPaths});
  const BatchTracer& tracer = *made;
  const std::size_t threads = scene.threads();
  const PulseInterval interval(job.sensor, tracer.numbering(), job.interval);
  ScanTotals totals;
  totals.pulses = interval.pulses();
  totals.rays = totals.pulses * tracer.raysOfPulse();
  totals.returnsOfInstance.resize(tracer.scene().instances.size());
  std::vector<ThreadTotals> threadTotals(threads);
  for (ThreadTotals& mine : threadTotals) {
    mine.returnsOfInstance.resize(totals.returnsOfInstance.size());
  }
  RowWriter writer(job, interval.firstPulse(), interval.pulses(), job.chunkPulses, sink.takeChunk);
  std::vector<ColumnHash::Digest> directions;
  std::uint64_t done = 0;
  const auto work = [&](std::uint64_t number, BatchYield& yield, ThreadTotals& mine) {
    workBatch(tracer, job, writer, interval.batch(number), interval.rangeOf(number), mine, yield);
  };
  const auto consume = [&](const BatchYield& yield) {
    writer.add(yield.rows, yield.packed);
    if (job.hashesDirections) directions.push_back(yield.directions);
    const std::uint64_t before = done;
    done += yield.pulses;
    const bool isDue = done == totals.pulses || done / pulsesPerReport > before / pulsesPerReport;
    if (sink.watch.onProgress && isDue) sink.watch.onProgress("scan", done, totals.pulses);
  };
  // Why so wide: tracing continues while the writer waits for the pipe to accept a chunk.
  const std::size_t width = std::max<std::size_t>(16, 4 * threads);
  inOrder<BatchYield>(interval.batches(), width, sink.watch, threadTotals, work, consume);
  writer.finish(totals);
  if (job.hashesDirections) totals.directionHash = hashOfDigests(directions);
  addTo(totals, threadTotals);
  return totals;
}

}  // namespace understory
