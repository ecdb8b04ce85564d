// A scan: the pulses of a time interval, traced over all threads and handed out in order, in chunks.
// Guarantee: rows, hash, packed record and sample are a pure function of (scene, sensor, trajectory,
// seed, interval, columns) for one instruction set; chunks and threads never change a byte, and how a time was
// cut into intervals never changes a row.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/packing/rowPacker.h"
#include "core/returns/returnColumns.h"
#include "core/sensor/sensorRecipe.h"
#include "core/sensor/trajectory.h"
#include "surfaces/embree/embreeScene.h"

namespace understory {

struct ScanJob {
  SensorRecipe sensor;
  Trajectory trajectory;
  std::uint64_t seed = 0;  // of what is random about the sensor
  std::int64_t fromNs = 0;  // pulses with fromNs <= time < toNs, and none before t = 0
  std::int64_t toNs = 0;
  std::vector<ReturnColumn> columns;      // handed out in chunks; may be none
  std::vector<ReturnColumn> hashColumns;  // of ScanTotals::hash; none: `columns`
  std::optional<RowTemplate> packing;     // makes ScanTotals::packed
  std::vector<ReturnColumn> sampleColumns;
  std::size_t sampleRows = 0;  // most rows of ScanTotals::sample; 0: none
  bool withMisses = false;
  bool hashesDirections = false;  // makes ScanTotals::directionHash
  std::size_t chunkPulses = 65536;  // most pulses in one chunk
  bool alwaysFollowsPaths = false;  // TraceOptions; for tests
};

// Rows of one chunk; column i belongs to ScanJob::columns[i].
struct ScanChunk {
  std::size_t rows = 0;
  std::span<const std::vector<std::byte>> columns;
};

struct ScanSink {
  // Called in order, never twice at once, but from a thread of the scan's own; chunks without rows are
  // left out. What it throws ends the scan and is thrown on.
  std::function<void(const ScanChunk&)> takeChunk;
  // From the same thread.
  std::function<void(std::uint64_t donePulses, std::uint64_t totalPulses)> progress;
  const std::atomic<bool>* isCancelled = nullptr;
};

struct ScanTotals {
  std::uint64_t pulses = 0;
  std::uint64_t rays = 0;
  std::uint64_t hits = 0;  // rays that met something within the range limits
  std::uint64_t rows = 0;
  std::uint64_t returns = 0;
  std::string hash;  // xxh3-128 over the xxh3-128 of each hashed column, in their order; hex
  std::optional<PackedRecord> packed;
  std::size_t sampleRows = 0;
  std::vector<std::vector<std::byte>> sample;  // by ScanJob::sampleColumns
  std::string directionHash;  // rows/directionHash.h, of the rays of the interval as they were traced
  double traceSeconds = 0.0;  // of pulses, rays, returns and columns: mean over the threads
  std::vector<std::uint32_t> returnsOfInstance;  // by index of the instance
};

// Throws UnderstoryError 'cancelled', or whatever the sink throws.
ScanTotals scan(const EmbreeScene& scene, const ScanJob& job, const ScanSink& sink);

}  // namespace understory
