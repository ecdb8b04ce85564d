// The rays of a time interval, hit by hit: what a scan's returns are made of.
// Guarantee: rows are a pure function of (scene, sensor, trajectory, seed, pulse) for one instruction set.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "core/returns/rayColumns.h"
#include "surfaces/embree/embreeScene.h"
#include "jobs/scan.h"

namespace understory {

struct RaySink {
  // In order of pulse, ray and hit, from the calling thread. What it throws ends the scan and is thrown on.
  std::function<void(const RayRows&)> takeChunk;
  std::function<void(std::uint64_t donePulses, std::uint64_t totalPulses)> progress;
  const std::atomic<bool>* isCancelled = nullptr;
};

struct RayTotals {
  std::uint64_t pulses = 0;
  std::uint64_t rays = 0;
  std::uint64_t rows = 0;
};

// Ranges and intensities are without noise; return_no counts the returns that the scan reports, lost ones left
// out. Of the job only sensor, trajectory, interval, seed, withMisses (a row for each ray that met nothing
// within the range limits: hit_no 0, NaN, ids 0) and chunkPulses count; a chunk is also cut at 2^18 rows.
// Throws 'cancelled', or whatever the sink throws.
RayTotals scanRays(const EmbreeScene& scene, const ScanJob& job, const RaySink& sink);

}  // namespace understory
