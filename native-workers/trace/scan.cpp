// Waves of blocks: one wave is traced by all threads while the one before is written.
#include "trace/scan.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <future>

#include "core/error.h"
#include "trace/blockTracer.h"
#include "trace/rowWriter.h"
#include "trace/scanColumns.h"

namespace understory {
namespace {

// What one thread adds up. Sums of integers: the order in which threads add does not matter.
struct ThreadTotals {
  TracedBlock block;
  std::uint64_t hits = 0;
  std::uint64_t returns = 0;
  std::vector<std::uint32_t> returnsOfInstance;
};

// The part of a block that lies in the interval.
struct BlockSlots {
  std::uint64_t block;
  std::size_t fromSlot;
  std::size_t toSlot;
};

void addTotals(const TracedBlock& traced, const BlockSlots& part, ThreadTotals& totals) {
  for (std::size_t pulse = traced.firstPulse[part.fromSlot]; pulse < traced.firstPulse[part.toSlot];
       ++pulse) {
    totals.hits += traced.rayHits[pulse];
    totals.returns += traced.returnCounts[pulse];
    for (std::size_t echo = 0; echo < traced.returnCounts[pulse]; ++echo) {
      ++totals.returnsOfInstance[traced.returns[pulse * maxReturnsPerPulse + echo].instance];
    }
  }
}

bool isCancelled(const ScanSink& sink) {
  return sink.isCancelled != nullptr && sink.isCancelled->load();
}

std::vector<BlockSlots> blocksOf(std::uint64_t fromSlot, std::uint64_t toSlot) {
  std::vector<BlockSlots> parts;
  for (std::uint64_t slot = fromSlot; slot < toSlot;) {
    const std::uint64_t block = slot / slotsPerBlock;
    const std::uint64_t end = std::min(toSlot, (block + 1) * slotsPerBlock);
    parts.push_back({block, slot - block * slotsPerBlock, end - block * slotsPerBlock});
    slot = end;
  }
  return parts;
}

}  // namespace

ScanTotals scan(const EmbreeScene& scene, const ScanJob& job, const ScanSink& sink) {
  const BlockTracer tracer(scene, job.sensor, job.trajectory);
  const std::uint64_t fromSlot = firstSlotFrom(job.sensor, job.fromNs);
  const std::uint64_t toSlot = std::max(fromSlot, firstSlotFrom(job.sensor, job.toNs));
  ScanTotals totals;
  totals.pulses = firstPulseOfSlot(tracer.numbering(), toSlot) -
                  firstPulseOfSlot(tracer.numbering(), fromSlot);
  totals.rays = totals.pulses * raysPerPulse;
  totals.returnsOfInstance.resize(scene.shading().size());

  const std::size_t threads = scene.device().threads();
  const std::size_t pulsesPerBlock = std::max<std::size_t>(
      1, tracer.numbering().pulsesBefore.back() * slotsPerBlock / job.sensor.slotPattern.size());
  // Long enough that no thread waits for the last block of a wave, short enough to bound memory.
  const std::size_t waveBlocks =
      std::max({std::size_t{16}, 8 * threads, 65536 / pulsesPerBlock});

  tbb::task_arena arena(static_cast<int>(threads));
  tbb::enumerable_thread_specific<ThreadTotals> threadTotals([&] {
    ThreadTotals fresh;
    fresh.returnsOfInstance.resize(scene.shading().size());
    return fresh;
  });
  std::array<std::vector<ColumnRows>, 2> waves;
  RowWriter writer(job, sink);
  std::future<void> writing;
  std::uint64_t donePulses = 0;

  for (std::uint64_t slot = fromSlot, wave = 0; slot < toSlot; ++wave) {
    const std::uint64_t waveEnd =
        std::min(toSlot, (slot / slotsPerBlock + waveBlocks) * slotsPerBlock);
    const std::vector<BlockSlots> parts = blocksOf(slot, waveEnd);
    std::vector<ColumnRows>& rows = waves[wave % 2];
    rows.resize(parts.size());
    const auto start = std::chrono::steady_clock::now();
    arena.execute([&] {
      tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t index) {
        if (isCancelled(sink)) return;
        ThreadTotals& mine = threadTotals.local();
        const BlockSlots& part = parts[index];
        tracer.trace(part.block, mine.block);
        fillColumns(tracer, part.block, mine.block, part.fromSlot, part.toSlot, writer.columns(),
                    job.withMisses, rows[index]);
        addTotals(mine.block, part, mine);
      });
    });
    totals.traceSeconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (writing.valid()) writing.get();
    if (isCancelled(sink)) throw cancelledError();
    donePulses += firstPulseOfSlot(tracer.numbering(), waveEnd) -
                  firstPulseOfSlot(tracer.numbering(), slot);
    if (sink.progress) sink.progress(donePulses, totals.pulses);
    writing = std::async(std::launch::async, [&writer, &rows] {
      for (const ColumnRows& block : rows) writer.add(block);
    });
    slot = waveEnd;
  }
  if (writing.valid()) writing.get();
  writer.finish(totals);

  for (const ThreadTotals& mine : threadTotals) {
    totals.hits += mine.hits;
    totals.returns += mine.returns;
    for (std::size_t instance = 0; instance < mine.returnsOfInstance.size(); ++instance) {
      totals.returnsOfInstance[instance] += mine.returnsOfInstance[instance];
    }
  }
  return totals;
}

}  // namespace understory
