// The scan.waveforms method.
#include "scanWorker/waveformHandler.h"

#include "core/error.h"
#include "jobs/waveforms.h"
#include "scanWorker/scanHandler.h"

namespace understory {

Message handleWaveforms(const TracedScene& scene, const Frame& request, Call& call,
                        TestSwitches& testSwitches) {
  const ScanJob job = parseIntervalJob(request);
  const WaveformWindow window = waveformWindow(job.sensor);
  const nlohmann::json shape{{"binsPerPulse", window.bins}, {"binM", window.binM}};
  WaveformSink sink;
  sink.watch = watchOf(call);
  sink.takeChunk = [&](const WaveformChunk& chunk) {
    namespace column = columns::waveform;
    const std::vector<ColumnView> views{
        viewOf(column::pulse, chunk.pulses), viewOf(column::timeNs, chunk.timesNs),
        viewOf(column::firstRangeM, chunk.firstRangesM), viewOf(column::bins, chunk.bins)};
    if (!call.chunk(shape, views)) throw cancelledError();
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
