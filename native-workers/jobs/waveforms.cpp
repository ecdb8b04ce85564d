// Threads trace parts of batches and store what arrives of each pulse; one more fills bins.
#include "jobs/waveforms.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/returns/gate.h"
#include "core/returns/signal.h"
#include "core/returns/waveform.h"
#include "jobs/visitPulses.h"

namespace understory {
namespace {

constexpr std::size_t maxBinBytes = 32U << 20U;  // of a chunk

// The arrived signal of the pulses of one part of a batch.
struct PartSignals {
  struct Pulse {
    std::uint64_t number = 0;  // absolute
    std::int64_t timeNs = 0;
    std::size_t from = 0;  // of `energies`
    std::size_t to = 0;
  };
  TracedBatch traced;
  std::vector<Pulse> pulses;
  std::vector<EnergyAt> energies;

  void clear() {
    pulses.clear();
    energies.clear();
  }
};

void store(const ReturnsRecipe& recipe, const PulseTrace& trace, PartSignals& signals) {
  PartSignals::Pulse& pulse = signals.pulses.emplace_back();
  pulse.number = trace.name.number;
  pulse.timeNs = trace.aim.reported.frame.timeNs;
  pulse.from = signals.energies.size();
  for (const SignalHit& hit : trace.signal) {
    if (passesGate(recipe, hit)) {
      const double energy = hasDetectionLimit(recipe) ? signalOf(hit) : energyOf(hit);
      signals.energies.push_back(
          {static_cast<double>(hit.rangeM), energy, static_cast<double>(hit.spreadM)});
    }
  }
  pulse.to = signals.energies.size();
}

// Collects rows and hands them over in chunks.
class WaveformChunkMaker {
 public:
  WaveformChunkMaker(const PulseJob& job, const WaveformSink& sink)
      : receiver_(*job.sensor.returns.waveform),
        window_(waveformWindow(job.sensor)),
        sink_(sink),
        withMisses_(job.withMisses),
        maxRows_(std::clamp(maxBinBytes / (window_.bins * sizeof(float)), std::size_t{1},
                            job.chunkPulses)) {}

  void add(const PartSignals& signals) {
    for (const PartSignals::Pulse& pulse : signals.pulses) {
      if (pulse.from == pulse.to && !withMisses_) continue;
      sums_.assign(window_.bins, 0.0);
      for (std::size_t hit = pulse.from; hit < pulse.to; ++hit) {
        receiver_.add(signals.energies[hit], window_.firstBin, sums_);
      }
      pulses_.push_back(pulse.number);
      timesNs_.push_back(pulse.timeNs);
      firstRangesM_.push_back(
          static_cast<float>(static_cast<double>(window_.firstBin) * window_.binM));
      for (const double sum : sums_) bins_.push_back(static_cast<float>(sum));
      if (pulses_.size() == maxRows_) flush();
    }
  }

  void flush() {
    if (pulses_.empty()) return;
    rows_ += pulses_.size();
    sink_.takeChunk({pulses_, timesNs_, firstRangesM_, bins_});
    pulses_.clear();
    timesNs_.clear();
    firstRangesM_.clear();
    bins_.clear();
  }

  std::uint64_t rows() const { return rows_; }

 private:
  ReceiverWaveform receiver_;
  WaveformWindow window_;
  const WaveformSink& sink_;
  bool withMisses_;
  std::size_t maxRows_;
  std::vector<std::uint64_t> pulses_;
  std::vector<std::int64_t> timesNs_;
  std::vector<float> firstRangesM_;
  std::vector<float> bins_;
  std::vector<double> sums_;
  std::uint64_t rows_ = 0;
};

}  // namespace

WaveformWindow waveformWindow(const SensorRecipe& sensor) {
  if (!sensor.returns.waveform) {
    throw UnderstoryError(ErrorCode::badInput,
                          "sensor.returns.waveform: expected one, found nothing");
  }
  const ReceiverWaveform receiver(*sensor.returns.waveform);
  // In doubles first: the quotient of a long range and a short bin fits no integer.
  const double bins =
      (sensor.maxRangeM - sensor.minRangeM + 12.0 * receiver.sigmaM()) / receiver.binM() + 3.0;
  if (!(bins * sizeof(float) <= static_cast<double>(maxBinBytes))) {
    throw UnderstoryError(ErrorCode::badInput, "sensor.returns.waveform: expected at most " +
                                                   std::to_string(maxBinBytes / sizeof(float)) +
                                                   " bins between the range limits, found " +
                                                   std::to_string(bins));
  }
  const std::int64_t from = receiver.binsOf({sensor.minRangeM}).from;
  const std::int64_t to = receiver.binsOf({sensor.maxRangeM}).to;
  return {from, static_cast<std::size_t>(to - from), receiver.binM()};
}

WaveformTotals scanWaveforms(const TracedScene& scene, const PulseJob& job,
                             const WaveformSink& sink) {
  WaveformChunkMaker chunks(job, sink);
  const auto visited = visitPulses<PartSignals>(
      scene, job, sink.watch,
      [&](const PulseTrace& pulse, PartSignals& signals) {
        store(job.sensor.returns, pulse, signals);
      },
      [&](const PartSignals& signals) { chunks.add(signals); });
  chunks.flush();
  return {visited.pulses, chunks.rows()};
}

}  // namespace understory
