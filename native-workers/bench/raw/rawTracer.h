// Embree alone on the rays of a scan, for comparison with the pipeline; on learned elements, one line a pulse. For each
// batch of slots a thread lays the rays out in a packing's layout, untimed, then traces them, timed; packings alternate
// batch by batch, so that all see the machine in the same state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aim/interval.h"
#include "contract/sensorRecipe.h"
#include "core/sensor/trajectory.h"
#include "core/watch.h"
#include "jobs/tracedScene.h"
#include "surfaces/embree/embreeScene.h"

namespace understory {

struct RawJob {
  SensorRecipe sensor;
  Trajectory trajectory;
  TimeInterval interval;
  std::uint64_t seed = 0;  // of draws on learned elements
  std::vector<std::string>
      packings;  // BenchRawRequest.packings of src-main/contract/worker/workerBench.ts
};

struct RawPacking {
  std::string name;
  double seconds = 0.0;     // timed, summed over the threads, divided by their number
  double cpuSeconds = 0.0;  // processor time of the same, not divided
  std::uint64_t hits = 0;   // rays of the interval with a hit within the range limits
};

struct RawTotals {
  std::uint64_t pulses = 0;
  std::uint64_t rays = 0;
  std::string directionHash;  // rows/directionHash.h
  std::vector<RawPacking> packings;
};

// All packings that the device's instruction set has, the scan's own among them.
std::vector<std::string> rawPackings(const EmbreeDevice& device);

// The one that scans use.
std::string scanPacking(const EmbreeDevice& device);

// Throws UnderstoryError 'bad-input' for a packing that does not exist, or a sensor without hasStencilRays
// (core/sensor/aim.h), 'unsupported' for a packing that the instruction set lacks, 'cancelled'.
RawTotals traceRaw(const TracedScene& scene, const RawJob& job, const Watch& watch);

}  // namespace understory
