// `scan`: request and trajectory in, chunks of columns out.
#pragma once

#include "protocol/rpc.h"
#include "scanWorker/testSwitches.h"
#include "surfaces/embree/embreeScene.h"
#include "jobs/scan.h"

namespace understory {

// ScanRequest -> ScanReply of src-main/contract/worker/worker.ts.
Message handleScan(const EmbreeScene& scene, const Frame& request, Call& call,
                   TestSwitches& testSwitches);

// The ScanRequest of a frame. Throws UnderstoryError 'bad-input'.
ScanJob parseScanJob(const Frame& request);

// Lets a call hear of the progress of what fills a sink (ScanSink, RaySink, WaveformSink), and cancel it.
template <typename Sink>
void attach(Call& call, Sink& sink) {
  sink.isCancelled = &call.isCancelled();
  sink.progress = [&call](std::uint64_t done, std::uint64_t total) {
    call.progress({{"phase", "scan"}, {"done", done}, {"total", total}});
  };
}

// Largest memory this process has had, in bytes.
std::uint64_t peakRssBytes();

}  // namespace understory
