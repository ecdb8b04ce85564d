// Threads trace blocks in any order, one more thread writes them in theirs.
#include "jobs/scan.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <future>

#include "core/error.h"
#include "pulses/blockTracer.h"
#include "rows/directionHash.h"
#include "jobs/orderedWindow.h"
#include "rows/rowWriter.h"
#include "rows/scanColumns.h"

namespace understory {
namespace {

// What one thread adds up. Sums of integers: the order in which threads add does not matter.
struct ThreadTotals {
  TracedBlock block;
  std::uint64_t hits = 0;
  std::uint64_t returns = 0;
  double traceSeconds = 0.0;
  std::vector<std::uint32_t> returnsOfInstance;
};

// What one block gives.
struct BlockYield {
  std::uint64_t pulses = 0;
  ColumnRows rows;
  ColumnHash::Digest directions{};
};

void addTotals(const TracedBlock& traced, SlotRange range, ThreadTotals& totals) {
  for (std::size_t pulse = traced.firstPulse[range.from]; pulse < traced.firstPulse[range.to];
       ++pulse) {
    totals.hits += traced.rayHits[pulse];
    totals.returns += traced.returnCounts[pulse];
    for (std::size_t echo = 0; echo < traced.returnCounts[pulse]; ++echo) {
      ++totals.returnsOfInstance[traced.returns[pulse * traced.returnPlaces + echo].instance];
    }
  }
}

bool isCancelled(const ScanSink& sink) {
  return sink.isCancelled != nullptr && sink.isCancelled->load();
}

// Traces a block and fills its rows.
void workBlock(const BlockTracer& tracer, const ScanJob& job, std::span<const ReturnColumn> columns,
               std::uint64_t block, SlotRange range, ThreadTotals& mine, BlockYield& yield) {
  const auto start = std::chrono::steady_clock::now();
  mine.block.keepsDirections = job.hashesDirections;
  tracer.trace(block, range, mine.block);
  fillColumns(tracer, block, mine.block, range.from, range.to, columns, job.withMisses, yield.rows);
  addTotals(mine.block, range, mine);
  const std::size_t fromPulse = mine.block.firstPulse[range.from];
  yield.pulses = mine.block.firstPulse[range.to] - fromPulse;
  if (job.hashesDirections) {
    yield.directions = directionDigest(std::span(mine.block.directions)
                                           .subspan(fromPulse * tracer.raysOfPulse(),
                                                    yield.pulses * tracer.raysOfPulse()));
  }
  mine.traceSeconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Writes blocks in their order until there are none left. What the sink throws stops the workers, too.
void writeBlocks(OrderedWindow<BlockYield>& window, RowWriter& writer, const ScanSink& sink,
                 std::uint64_t pulses, std::vector<ColumnHash::Digest>* directions) {
  constexpr std::uint64_t pulsesPerReport = 65536;
  try {
    std::uint64_t done = 0;
    while (const BlockYield* yield = window.next()) {
      writer.add(yield->rows);
      if (directions != nullptr) directions->push_back(yield->directions);
      const std::uint64_t before = done;
      done += yield->pulses;
      window.take();
      const bool isDue = done == pulses || done / pulsesPerReport > before / pulsesPerReport;
      if (sink.progress && isDue) sink.progress(done, pulses);
    }
  } catch (...) {
    window.stop();
    throw;
  }
}

}  // namespace

ScanTotals scan(const EmbreeScene& scene, const ScanJob& job, const ScanSink& sink) {
  const BlockTracer tracer(scene, job.sensor, job.trajectory,
                           {job.seed, job.alwaysFollowsPaths});
  const std::uint64_t fromSlot = firstSlotFrom(job.sensor, job.fromNs);
  const std::uint64_t toSlot = std::max(fromSlot, firstSlotFrom(job.sensor, job.toNs));
  ScanTotals totals;
  totals.pulses = firstPulseOfSlot(tracer.numbering(), toSlot) -
                  firstPulseOfSlot(tracer.numbering(), fromSlot);
  totals.rays = totals.pulses * tracer.raysOfPulse();
  totals.returnsOfInstance.resize(scene.shading().size());

  const std::size_t threads = scene.device().threads();
  tbb::task_arena arena(static_cast<int>(threads));
  tbb::enumerable_thread_specific<ThreadTotals> threadTotals([&] {
    ThreadTotals fresh;
    fresh.returnsOfInstance.resize(scene.shading().size());
    return fresh;
  });
  RowWriter writer(job, sink);
  std::vector<ColumnHash::Digest> directions;
  const BlockSpan blocks = blocksBetween(fromSlot, toSlot);
  // Why so wide: tracing continues while the writer waits for the pipe to take a chunk.
  OrderedWindow<BlockYield> window(blocks.count, std::max<std::size_t>(16, 4 * threads));
  std::future<void> writing = std::async(std::launch::async, [&] {
    writeBlocks(window, writer, sink, totals.pulses, job.hashesDirections ? &directions : nullptr);
  });
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, threads, 1),
        [&](const tbb::blocked_range<std::size_t>&) {
          ThreadTotals& mine = threadTotals.local();
          while (const std::optional<std::uint64_t> number = window.claim()) {
            if (isCancelled(sink)) return window.stop();
            workBlock(tracer, job, writer.columns(), blocks.first + *number,
                      blocks.rangeOf(*number), mine, window.result(*number));
            window.finish(*number);
          }
        },
        tbb::simple_partitioner());
  });
  writing.get();
  if (isCancelled(sink)) throw cancelledError();
  writer.finish(totals);
  if (job.hashesDirections) totals.directionHash = hashOfDigests(directions);

  for (const ThreadTotals& mine : threadTotals) {
    totals.hits += mine.hits;
    totals.returns += mine.returns;
    totals.traceSeconds += mine.traceSeconds / static_cast<double>(threads);
    for (std::size_t instance = 0; instance < mine.returnsOfInstance.size(); ++instance) {
      totals.returnsOfInstance[instance] += mine.returnsOfInstance[instance];
    }
  }
  return totals;
}

}  // namespace understory
