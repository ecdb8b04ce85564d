// The rays of a time interval, hit by hit: what a scan's returns are made of.
// Guarantee: rows are a pure function of (scene, sensor, trajectory, seed, pulse) for one instruction set.
#pragma once

#include <cstdint>
#include <functional>

#include "contract/contract.h"
#include "core/watch.h"
#include "jobs/pulseJob.h"
#include "jobs/tracedScene.h"

namespace understory {

struct RaySink {
  // In order of pulse, ray and hit, from a thread of the scan's own. An exception of it ends the scan and is rethrown.
  std::function<void(const RayRows&)> takeChunk;
  Watch watch;  // phase 'scan' in pulses, from the same thread
};

struct RayTotals {
  std::uint64_t pulses = 0;
  std::uint64_t rays = 0;
  std::uint64_t rows = 0;
};

// Ranges and intensities are without noise; return_no counts the returns that the scan reports, lost ones left
// out. A ray without a hit within the range limits has one row: hit_no 0, NaN, ids 0. job.withMisses does not count. A
// chunk is also cut at 2^18 rows.
// Throws 'cancelled', or whatever the sink throws.
RayTotals scanRays(const TracedScene& scene, const PulseJob& job, const RaySink& sink);

}  // namespace understory
