// A scan: the pulses of a time interval, traced over all threads (and ranks) and handed out in
// order, in chunks.
// Guarantee: rows, hash, packed records and sample are a pure function of (scene, sensor, trajectory,
// seed, interval, columns) for one instruction set; chunks, threads and ranks never change a byte, and how a time was
// cut into intervals never changes a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/watch.h"
#include "jobs/instanceCounts.h"
#include "jobs/pulseJob.h"
#include "jobs/tracedScene.h"
#include "mapping/registration.h"
#include "rows/rowRequest.h"

namespace understory {

struct ScanJob : PulseJob, RowRequest {
  bool hashesDirections = false;    // makes ScanTotals::directionHash
  bool alwaysFollowsPaths = false;  // TraceOptions; for tests
  // Makes ScanTotals::registered; with needsSensorPoints, without further ranks.
  std::optional<TickMapping> mapping{};
};

struct ScanSink {
  // Called in order, never twice at once, but from a thread of the scan's own; chunks without rows are
  // left out. An exception of it ends the scan and is rethrown.
  RowConsumer takeChunk;
  Watch watch;  // phase 'scan' in pulses, from the same thread
  // Around tracing, where scans overlap: before the first pulse is traced; when no pulse is left to begin with, by a
  // tracing thread. They may be empty.
  std::function<void()> beginTracing;
  std::function<void()> endTracing;
};

struct ScanTotals : RowTotals {
  std::uint64_t pulses = 0;
  std::uint64_t rays = 0;
  std::uint64_t hits = 0;  // rays with a hit within the range limits
  std::uint64_t returns = 0;
  std::string
      directionHash;  // rows/directionHash.h, of the rays of the interval as they were traced
  double traceSeconds = 0.0;  // of pulses, rays, returns and columns: mean over the threads
  double writeSeconds = 0.0;  // processor time of the thread that takes rows in order
  InstanceCounts returnsOfInstance;
  std::vector<RegisteredReturns> registered;  // by thread
};

class OtherRanks;

// `ranks`: further processes that trace the same job; null: none. Throws UnderstoryError 'cancelled', or whatever sink
// and ranks throw.
ScanTotals scan(const TracedScene& scene, const ScanJob& job, const ScanSink& sink,
                OtherRanks* ranks = nullptr);

}  // namespace understory
