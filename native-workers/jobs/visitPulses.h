// Walks over all pulses of a scan's interval for whoever looks into each of them (rayScan.h, waveforms.h): threads
// trace parts of blocks and keep what is wanted, the calling thread takes the parts in order.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/sensor/pulses.h"
#include "aim/blockParts.h"
#include "pulses/blockTracer.h"
#include "jobs/inOrder.h"
#include "jobs/scan.h"

namespace understory {

struct VisitedPulses {
  std::uint64_t pulses = 0;  // of the interval
  std::uint64_t rays = 0;
};

// `Part` is what a thread keeps of a part of a block: `traced` (a TracedBlock), `pulses` with a `number` each, and
// clear(). keep(const PulseTrace&, Part&) adds a pulse, on many threads at once; take(const Part&) gets parts in
// order, each with its pulses by number. Of the sink only progress and isCancelled are used. Throws 'cancelled', or
// whatever keep and take throw.
template <typename Part, typename Sink, typename Keep, typename Take>
VisitedPulses visitPulses(const EmbreeScene& scene, const ScanJob& job, const Sink& sink,
                          const Keep& keep, const Take& take) {
  TraceOptions options;
  options.seed = job.seed;
  options.alwaysFollowsPaths = true;
  const BlockTracer tracer(scene, job.sensor, job.trajectory, options);
  const std::uint64_t fromSlot = firstSlotFrom(job.sensor, job.fromNs);
  const std::uint64_t toSlot = std::max(fromSlot, firstSlotFrom(job.sensor, job.toNs));
  const BlockParts parts(blocksBetween(fromSlot, toSlot), job.sensor, tracer.raysOfPulse());
  VisitedPulses visited;
  visited.pulses = firstPulseOfSlot(tracer.numbering(), toSlot) -
                   firstPulseOfSlot(tracer.numbering(), fromSlot);
  visited.rays = visited.pulses * tracer.raysOfPulse();
  const auto trace = [&](std::uint64_t number, Part& out) {
    out.clear();
    const BlockPart part = parts.at(number);
    if (part.range.from == part.range.to) return;
    const PulseVisitor visitor = [&](const PulseTrace& pulse) { keep(pulse, out); };
    tracer.trace(part.block, part.range, out.traced, &visitor);
    std::ranges::sort(out.pulses, {}, &Part::Pulse::number);
  };
  std::uint64_t done = 0;
  const auto takeOne = [&](const Part& part) {
    take(part);
    done += part.pulses.size();
    if (sink.progress && !part.pulses.empty()) sink.progress(done, visited.pulses);
  };
  const std::size_t threads = scene.device().threads();
  inOrder<Part>(parts.count(), threads, 2 * threads, sink.isCancelled, trace, takeOne);
  return visited;
}

}  // namespace understory
