// The scan.waveforms method.
#include "scanWorker/waveformHandler.h"

#include "core/error.h"
#include "scanWorker/scanHandler.h"
#include "jobs/waveforms.h"

namespace understory {
namespace {

template <typename Value>
ColumnView columnOf(const char* name, const char* type, std::span<const Value> values) {
  return {name, type, values.size(), std::as_bytes(values)};
}

}  // namespace

Message handleWaveforms(const EmbreeScene& scene, const Frame& request, Call& call,
                        TestSwitches& testSwitches) {
  const ScanJob job = parseScanJob(request);
  const WaveformWindow window = waveformWindow(job.sensor);
  const nlohmann::json shape{{"binsPerPulse", window.bins}, {"binM", window.binM}};
  WaveformSink sink;
  sink.watch = watchOf(call);
  sink.takeChunk = [&](const WaveformChunk& chunk) {
    const std::vector<ColumnView> columns{columnOf("pulse", "u64", chunk.pulses),
                                          columnOf("time_ns", "i64", chunk.timesNs),
                                          columnOf("first_range_m", "f32", chunk.firstRangesM),
                                          columnOf("bins", "f32", chunk.bins)};
    if (!call.chunk(shape, columns)) throw cancelledError();
    testSwitches.afterChunk();
  };
  const WaveformTotals totals = scanWaveforms(scene, job, sink);
  Message reply;
  reply.body = {{"pulses", totals.pulses},
                {"rows", totals.rows},
                {"binsPerPulse", window.bins},
                {"binM", window.binM},
                {"peakRssBytes", peakRssBytes()}};
  return reply;
}

}  // namespace understory
