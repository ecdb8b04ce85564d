// Visits every pulse of an interval (rayScan.h, waveforms.h): threads trace parts of batches and store what is wanted
// of each pulse, one thread consumes the parts in order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "aim/batchParts.h"
#include "core/watch.h"
#include "jobs/inOrder.h"
#include "jobs/pulseJob.h"
#include "jobs/tracers.h"
#include "pulses/batchTracer.h"

namespace understory {

struct VisitedPulses {
  std::uint64_t pulses = 0;  // of the interval
  std::uint64_t rays = 0;
};

// `Part` is what a thread stores of a part of a batch: `traced` (a TracedBatch), `pulses` with a `number` each, and
// clear(). store(const PulseTrace&, Part&) adds a pulse, on many threads at once; consume(const Part&) gets parts in
// order, each with its pulses by number. Throws 'cancelled', or whatever store and consume throw.
template <typename Part, typename Store, typename Consume>
VisitedPulses visitPulses(const TracedScene& scene, const PulseJob& job, const Watch& watch,
                          const Store& store, const Consume& consume) {
  TraceOptions options;
  options.seed = job.seed;
  options.alwaysFollowsPaths = true;
  const std::unique_ptr<const BatchTracer> tracer = makeTracer(scene, job, options, watch);
  const PulseInterval interval(job.sensor, tracer->numbering(), job.interval);
  const BatchParts parts(interval, job.sensor, tracer->raysOfPulse());
  const VisitedPulses visited{interval.pulses(), interval.pulses() * tracer->raysOfPulse()};
  struct NoLocal {};
  std::vector<NoLocal> locals(scene.threads());
  const auto trace = [&](std::uint64_t number, Part& out, NoLocal&) {
    out.clear();
    const BatchPart part = parts.at(number);
    if (part.range.from == part.range.to) return;
    const PulseVisitor visitor = [&](const PulseTrace& pulse) { store(pulse, out); };
    tracer->trace(part.batch, part.range, out.traced, &visitor);
    std::ranges::sort(out.pulses, {}, &Part::Pulse::number);
  };
  std::uint64_t done = 0;
  const auto consumeOne = [&](const Part& part) {
    consume(part);
    done += part.pulses.size();
    if (watch.onProgress && !part.pulses.empty()) watch.onProgress("scan", done, visited.pulses);
  };
  inOrder<Part>(parts.count(), 2 * locals.size(), watch, locals, trace, consumeOne);
  return visited;
}

}  // namespace understory
