// The scan.rays method.
#include "scanWorker/raysHandler.h"

#include "core/error.h"
#include "scanWorker/scanHandler.h"
#include "jobs/rayScan.h"

namespace understory {

Message handleRays(const EmbreeScene& scene, const Frame& request, Call& call,
                   TestSwitches& testSwitches) {
  const ScanJob job = parseScanJob(request);
  RaySink sink;
  sink.watch = watchOf(call);
  sink.takeChunk = [&](const RayRows& rows) {
    std::vector<ColumnView> columns;
    forEachRayColumn(
        [&](const char* name, const char* type, const auto& column) {
          columns.push_back({name, type, column.size(), std::as_bytes(std::span(column))});
        },
        rows);
    if (!call.chunk({{"rows", rows.size()}}, columns)) throw cancelledError();
    testSwitches.afterChunk();
  };
  const RayTotals totals = scanRays(scene, job, sink);
  Message reply;
  reply.body = {{"pulses", totals.pulses},
                {"rays", totals.rays},
                {"rows", totals.rows},
                {"peakRssBytes", peakRssBytes()}};
  return reply;
}

}  // namespace understory
