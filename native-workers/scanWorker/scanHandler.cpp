// The scan method.
#include "scanWorker/scanHandler.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "core/sensor/mutatedSensor.h"
#include "core/returns/signal.h"
#include "scanWorker/rowTemplateRequest.h"
#include "jobs/scan.h"

namespace understory {
namespace {

using nlohmann::json;

constexpr std::size_t maxChunkPulses = 1U << 20U;
// Why: of some 160 bytes each they stay far below the largest frame.
constexpr std::size_t maxChunkReturns = 1U << 21U;
constexpr std::size_t maxSampleRows = 1U << 24U;

template <typename Value>
std::vector<Value> valuesOf(const Frame& request, const char* name, const char* type) {
  const ColumnView& column = request.column(name, type);
  std::vector<Value> values(column.count);
  std::memcpy(values.data(), column.bytes.data(), column.bytes.size());
  return values;
}

Trajectory parseTrajectory(const Frame& request) {
  Trajectory trajectory;
  trajectory.timesNs = valuesOf<std::int64_t>(request, "time_ns", "i64");
  std::array<std::vector<double>, 7> parts;
  constexpr std::array<const char*, 7> names{"x_m", "y_m", "z_m", "qx", "qy", "qz", "qw"};
  for (std::size_t part = 0; part < parts.size(); ++part) {
    parts[part] = valuesOf<double>(request, names[part], "f64");
    if (parts[part].size() != trajectory.timesNs.size()) {
      throw UnderstoryError("bad-input", "the columns of the trajectory differ in length");
    }
  }
  for (std::size_t row = 0; row < trajectory.timesNs.size(); ++row) {
    trajectory.poses.push_back(
        {{parts[0][row], parts[1][row], parts[2][row]},
         {parts[3][row], parts[4][row], parts[5][row], parts[6][row]}});
  }
  checkTrajectory(trajectory);
  return trajectory;
}

std::vector<ReturnColumn> parseColumns(const json& names) {
  std::vector<ReturnColumn> columns;
  for (const json& name : names) {
    const ReturnColumn column = columnOfName(name.get<std::string>());
    if (std::find(columns.begin(), columns.end(), column) != columns.end()) {
      throw UnderstoryError("bad-input", "column '" + name.get<std::string>() + "' twice");
    }
    columns.push_back(column);
  }
  return columns;
}

void sendChunk(const ScanJob& job, const RowChunk& chunk, Call& call) {
  std::vector<ColumnView> columns;
  for (std::size_t column = 0; column < job.columns.size(); ++column) {
    const ReturnColumnInfo& info = infoOf(job.columns[column]);
    columns.push_back({std::string(info.name), std::string(info.type), chunk.rows,
                       std::span<const std::byte>(chunk.columns[column])});
  }
  if (!call.chunk({{"rows", chunk.rows}}, columns)) throw cancelledError();
}

// What the columns of the reply view.
struct ReplyStorage {
  std::vector<std::uint32_t> objectId;
  std::vector<std::uint32_t> objectReturns;
  std::vector<std::byte> packed;
  std::vector<std::vector<std::byte>> sample;
};

// How many returns each instance gave, by id, zero left out.
void fillObjectReturns(const EmbreeScene& scene, const ScanTotals& totals, ReplyStorage& storage) {
  for (std::size_t instance = 0; instance < totals.returnsOfInstance.size(); ++instance) {
    if (totals.returnsOfInstance[instance] == 0) continue;
    storage.objectId.push_back(scene.truth().instances[instance].id);
    storage.objectReturns.push_back(totals.returnsOfInstance[instance]);
  }
}

json describePacked(const ScanJob& job, const PackedRecord& packed) {
  json bases = json::object();
  for (std::size_t field = 0; field < packed.bases.size(); ++field) {
    const PackedField& layout = job.packing->fields[field];
    if (layout.how == PackedField::How::copy) continue;
    // Why text: a u64 does not fit into a number of JavaScript.
    bases[std::string(infoOf(layout.column).name)] = std::to_string(packed.bases[field]);
  }
  return {{"uncompressedBytes", packed.uncompressedBytes},
          {"crc32", packed.crc32},
          {"bases", std::move(bases)}};
}

Message replyOf(const EmbreeScene& scene, const ScanJob& job, ScanTotals& totals) {
  const auto storage = std::make_shared<ReplyStorage>();
  fillObjectReturns(scene, totals, *storage);
  Message reply;
  reply.body = {{"pulses", totals.pulses},
                {"rays", totals.rays},
                {"hits", totals.hits},
                {"rows", totals.rows},
                {"returns", totals.returns},
                {"hash", totals.hash},
                {"traceSeconds", totals.traceSeconds},
                {"peakRssBytes", peakRssBytes()}};
  reply.columns = {
      {"object_id", "u32", storage->objectId.size(), std::as_bytes(std::span(storage->objectId))},
      {"object_returns", "u32", storage->objectReturns.size(),
       std::as_bytes(std::span(storage->objectReturns))}};
  if (totals.packed) {
    reply.body["packed"] = describePacked(job, *totals.packed);
    storage->packed = std::move(totals.packed->frame);
    reply.columns.push_back({"packed", "u8", storage->packed.size(), storage->packed});
  }
  storage->sample = std::move(totals.sample);
  for (std::size_t column = 0; column < storage->sample.size(); ++column) {
    const ReturnColumnInfo& info = infoOf(job.sampleColumns[column]);
    reply.columns.push_back({"sample_" + std::string(info.name), std::string(info.type),
                             totals.sampleRows, storage->sample[column]});
  }
  reply.storage = storage;
  return reply;
}

}  // namespace

ScanJob parseScanJob(const Frame& request) {
  const json& body = request.header.at("body");
  ScanJob job;
  job.sensor = mutated(parseSensorRecipe(body.at("sensor")));
  job.trajectory = parseTrajectory(request);
  job.seed = body.at("seed").get<std::uint64_t>();
  job.interval.fromNs = body.at("fromNs").get<std::int64_t>();
  job.interval.toNs = body.at("toNs").get<std::int64_t>();
  job.columns = parseColumns(body.at("columns"));
  if (body.contains("hashColumns")) job.hashColumns = parseColumns(body.at("hashColumns"));
  if (body.contains("packed")) job.packing = parseRowTemplate(request);
  if (body.contains("sample")) {
    job.sampleColumns = parseColumns(body.at("sample").at("columns"));
    job.sampleRows = body.at("sample").at("mostRows").get<std::size_t>();
    if (job.sampleRows < 1 || job.sampleRows > maxSampleRows) {
      throw UnderstoryError("bad-input", "sample.maxRows: expected 1 to 16777216");
    }
  }
  job.withMisses = body.at("misses").get<bool>();
  job.chunkPulses = body.value("chunkPulses", job.chunkPulses);
  if (job.chunkPulses < 1 || job.chunkPulses > maxChunkPulses) {
    throw UnderstoryError("bad-input", "chunkPulses: expected 1 to 1048576");
  }
  job.chunkPulses = std::min(job.chunkPulses, maxChunkReturns / maxReturnsOf(job.sensor.returns));
  return job;
}

Message handleScan(const EmbreeScene& scene, const Frame& request, Call& call,
                   TestSwitches& testSwitches) {
  const ScanJob job = parseScanJob(request);
  ScanSink sink;
  sink.watch = watchOf(call);
  sink.takeChunk = [&](const RowChunk& chunk) {
    sendChunk(job, chunk, call);
    testSwitches.afterChunk();
  };
  ScanTotals totals = scan(scene, job, sink);
  return replyOf(scene, job, totals);
}

Watch watchOf(Call& call) {
  Watch watch;
  watch.onProgress = [&call](const std::string& phase, std::size_t done, std::size_t total) {
    call.progress({{"phase", phase}, {"done", done}, {"total", total}});
  };
  watch.isCancelled = &call.isCancelled();
  return watch;
}

std::uint64_t peakRssBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace understory
