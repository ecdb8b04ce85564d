// The waveforms that a receiver samples over a time interval (core/returns/waveform.h), pulse by pulse.
// Guarantee: a row is a pure function of (scene, sensor, trajectory, seed, pulse) for one instruction set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "core/watch.h"
#include "jobs/pulseJob.h"
#include "jobs/tracedScene.h"

namespace understory {

// Bins of every pulse alike: from the first that the nearest target within the range limits can reach to the last
// of the farthest.
struct WaveformWindow {
  std::int64_t firstBin = 0;
  std::size_t bins = 0;
  double binM = 0.0;
};

struct WaveformChunk {
  std::span<const std::uint64_t> pulses;  // in order of their numbers
  std::span<const std::int64_t> timesNs;
  std::span<const float> firstRangesM;  // lower edge of the pulse's first bin
  std::span<const float> bins;          // energy, pulse by pulse
};

struct WaveformSink {
  // In order, from a thread of the scan's own. An exception of it ends the scan and is rethrown.
  std::function<void(const WaveformChunk&)> takeChunk;
  Watch watch;  // phase 'scan' in pulses, from the same thread
};

struct WaveformTotals {
  std::uint64_t pulses = 0;
  std::uint64_t rows = 0;
};

// Throws UnderstoryError 'bad-input' for a sensor without waveform, or with more bins a pulse than a chunk
// cannot hold them.
WaveformWindow waveformWindow(const SensorRecipe& sensor);

// withMisses: a row of zeros for pulses without a hit, or without one that the gate passes. A chunk is also cut at
// 32 MiB of bins. Throws as waveformWindow, 'cancelled', or whatever the sink throws.
WaveformTotals scanWaveforms(const TracedScene& scene, const PulseJob& job,
                             const WaveformSink& sink);

}  // namespace understory
