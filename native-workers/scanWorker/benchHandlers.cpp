// The bench methods.
#include "scanWorker/benchHandlers.h"

#include <ctime>

#include <chrono>

#include "bench/raw/rawTracer.h"
#include "jobs/scan.h"
#include "scanWorker/scanHandler.h"

namespace understory {
namespace {

using nlohmann::json;

double cpuSecondsOfProcess() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

Message handleBenchRaw(const TracedScene& scene, const Frame& request, Call& call) {
  const std::string ownPacking = scanPacking(scene.device());
  RawJob job = readObject(request.header.at("body"), "request", [&](FieldReader& body) {
    const ScanJob scan = parseScanFields(body, request);
    const TextsField& packings = fields::benchRawRequest::packings;
    return RawJob{scan.sensor, scan.trajectory, scan.interval, scan.seed,
                  body.has(packings) ? body.texts(packings) : rawPackings(scene.device())};
  });
  Watch watch;
  watch.isCancelled = &call.isCancelled();
  RawTotals totals = traceRaw(scene, job, watch);
  json packings = json::array();
  std::optional<std::uint64_t> hits;
  for (const RawPacking& packing : totals.packings) {
    packings.push_back({{"name", packing.name},
                        {"seconds", packing.seconds},
                        {"cpuSeconds", packing.cpuSeconds},
                        {"hits", packing.hits}});
    if (packing.name == ownPacking) hits = packing.hits;
  }
  if (!hits) {
    job.packings = {ownPacking};
    hits = traceRaw(scene, job, watch).packings.front().hits;
  }
  Message reply;
  reply.body = {{"pulses", totals.pulses},
                {"rays", totals.rays},
                {"hits", *hits},
                {"directionHash", totals.directionHash},
                {"scanPacking", ownPacking},
                {"packings", packings}};
  return reply;
}

Message handleBenchNative(const TracedScene& scene, const Frame& request, Call& call) {
  ScanJob job = parseScanJob(request);
  ScanSink sink;
  sink.watch.isCancelled = &call.isCancelled();
  sink.takeChunk = [](const RowChunk&) {};
  const double cpuStart = cpuSecondsOfProcess();
  const auto start = std::chrono::steady_clock::now();
  const ScanTotals totals = scan(scene, job, sink);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double cpuSeconds = cpuSecondsOfProcess() - cpuStart;
  // Why a second pass: storing the directions costs time that a scan does not spend.
  job.hashesDirections = true;
  const std::string directionHash = scan(scene, job, sink).directionHash;
  Message reply;
  reply.body = {{"pulses", totals.pulses},       {"rays", totals.rays},
                {"hits", totals.hits},           {"seconds", seconds},
                {"cpuSeconds", cpuSeconds},      {"hash", totals.hash},
                {"directionHash", directionHash}};
  return reply;
}

}  // namespace understory
