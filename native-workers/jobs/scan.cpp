// Threads, and other ranks where there are some, trace batches in any order; one more thread writes their rows in order.
#include "jobs/scan.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "jobs/inOrder.h"
#include "jobs/otherRanks.h"
#include "jobs/scanBatches.h"
#include "jobs/threads.h"
#include "rows/directionHash.h"

namespace understory {
namespace {

constexpr std::uint64_t pulsesPerReport = 65536;
// Pulses that a thread takes at a time, about. Why: with one laser a batch is done in some 50 us, and waking other
// threads for each costs the panorama of a vz-400i a quarter of its processor time.
constexpr std::uint64_t pulsesTogether = 2048;

// Batches that a thread takes at a time: no more than leave several turns to each thread.
std::uint64_t batchesTogether(const PulseInterval& interval, std::size_t threads) {
  const std::uint64_t batches = interval.batches();
  const std::uint64_t pulses = std::max<std::uint64_t>(1, interval.pulses());
  const std::uint64_t wanted = pulsesTogether * batches / pulses;
  return std::clamp<std::uint64_t>(batches / (8 * threads), 1, std::max<std::uint64_t>(1, wanted));
}

// Processor time of the calling thread; zero when it starts.
double threadSeconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void addTo(ScanTotals& totals, const BatchSums& sums, std::size_t threads) {
  totals.hits = sums.hits;
  totals.returns = sums.returns;
  totals.traceSeconds = sums.traceSeconds / static_cast<double>(threads);
  totals.returnsOfInstance = sums.returnsOfInstance;
}

}  // namespace

ScanTotals scan(const TracedScene& scene, const ScanJob& job, const ScanSink& sink,
                OtherRanks* ranks) {
  ScanBatches batches(scene, job, sink.takeChunk, sink.watch);
  std::vector<BatchThread> threads = batches.threads(scene.threads());
  ScanTotals totals;
  totals.pulses = batches.interval().pulses();
  totals.rays = totals.pulses * batches.raysOfPulse();
  std::vector<ColumnHash::Digest> directions;
  std::uint64_t done = 0;
  const auto work = [&](std::uint64_t number, BatchYield& yield, BatchThread& mine) {
    batches.work(number, yield, mine);
  };
  const auto consume = [&](const BatchYield& yield) {
    batches.writer().add(yield.rows, yield.packed);
    if (job.hashesDirections) directions.push_back(yield.directions);
    const std::uint64_t before = done;
    done += yield.pulses;
    const bool isDue = done == totals.pulses || done / pulsesPerReport > before / pulsesPerReport;
    if (sink.watch.onProgress && isDue) sink.watch.onProgress("scan", done, totals.pulses);
    totals.writeSeconds = threadSeconds();
  };
  BatchSums sums = batches.threads(1).front().sums;
  FurtherWork<BatchYield> further;
  if (ranks != nullptr) further = [&](auto& buffer) { ranks->work(buffer, sums); };
  // Why so wide: tracing continues while the writer waits for the pipe to accept a chunk.
  const std::uint64_t together = batchesTogether(batches.interval(), threads.size());
  std::size_t width = together * std::max<std::size_t>(16, 4 * threads.size());
  const std::uint64_t count = batches.interval().batches();
  if (ranks != nullptr && count > 0) width += ranks->width(totals.rays / count);
  if (sink.beginTracing) sink.beginTracing();
  inOrder<BatchYield>(count, width, sink.watch, threads, work, consume,
                      {further, sink.endTracing, together});
  const double before = threadSeconds();
  batches.writer().finish(totals, [&](std::size_t pieces, const auto& piece) {
    onAnyThreads(threads.size(), pieces, piece);
  });
  totals.writeSeconds += threadSeconds() - before;
  if (job.hashesDirections) totals.directionHash = hashOfDigests(directions);
  for (const BatchThread& mine : threads) sums.add(mine.sums);
  if (job.mapping) {
    for (BatchThread& mine : threads) totals.registered.push_back(std::move(mine.registered));
  }
  addTo(totals, sums, threads.size() + (ranks == nullptr ? 0 : ranks->threads()));
  return totals;
}

}  // namespace understory
