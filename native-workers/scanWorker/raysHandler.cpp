// The scan.rays method.
#include "scanWorker/raysHandler.h"

#include "core/error.h"
#include "jobs/rayScan.h"
#include "scanWorker/scanHandler.h"

namespace understory {

Message handleRays(const TracedScene& scene, const Frame& request, Call& call,
                   TestSwitches& testSwitches) {
  const PulseJob job = parseRaysJob(request);
  RaySink sink;
  sink.watch = watchOf(call);
  sink.takeChunk = [&](const RayRows& rows) {
    std::vector<ColumnView> columns;
    forEachColumnOfRayRows(
        [&](auto column, const auto& values) { columns.push_back(viewOf(column, values)); }, rows);
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
