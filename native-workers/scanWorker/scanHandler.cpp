// The scan method.
#include "scanWorker/scanHandler.h"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/fieldReader.h"
#include "core/returns/signal.h"
#include "core/sensor/mutatedSensor.h"
#include "jobs/scan.h"
#include "jobs/threads.h"
#include "scanWorker/mapRequest.h"
#include "scanWorker/rowTemplateRequest.h"

namespace understory {
namespace {

using nlohmann::json;

// Why: of some 160 bytes each they stay far below the largest frame.
constexpr std::size_t maxChunkReturns = 1U << 21U;
// Far above all that has a meaning; times as integers are exact below it.
constexpr double maxPuffNumber = 0x1.0p62;

// Poses of seven numbers each: x, y, z, qx, qy, qz, qw.
std::vector<Pose> posesIn(const std::vector<double>& parts) {
  if (parts.size() % 7 != 0) {
    throw UnderstoryError(ErrorCode::badInput, "poses of a trajectory have seven numbers each");
  }
  std::vector<Pose> poses;
  poses.reserve(parts.size() / 7);
  for (std::size_t at = 0; at < parts.size(); at += 7) {
    poses.push_back({{parts[at], parts[at + 1], parts[at + 2]},
                     {parts[at + 3], parts[at + 4], parts[at + 5], parts[at + 6]}});
  }
  return poses;
}

void parsePlatform(const Frame& request, Trajectory& trajectory) {
  namespace column = columns::platform;
  if (request.has(column::mount)) {
    const std::vector<Pose> mount = posesIn(request.values(column::mount));
    if (mount.size() != 1) throw UnderstoryError(ErrorCode::badInput, "a mount is one pose");
    trajectory.mount = mount.front();
  }
  if (request.has(column::reported))
    trajectory.reported = posesIn(request.values(column::reported));
}

Trajectory parseTrajectory(const Frame& request) {
  namespace column = columns::trajectory;
  Trajectory trajectory;
  trajectory.timesNs = request.values(column::timeNs);
  const std::array parts{request.values(column::xM), request.values(column::yM),
                         request.values(column::zM), request.values(column::qx),
                         request.values(column::qy), request.values(column::qz),
                         request.values(column::qw)};
  for (const std::vector<double>& part : parts) {
    if (part.size() != trajectory.timesNs.size()) {
      throw UnderstoryError(ErrorCode::badInput, "the columns of the trajectory differ in length");
    }
  }
  for (std::size_t row = 0; row < trajectory.timesNs.size(); ++row) {
    trajectory.poses.push_back({{parts[0][row], parts[1][row], parts[2][row]},
                                {parts[3][row], parts[4][row], parts[5][row], parts[6][row]}});
  }
  parsePlatform(request, trajectory);
  checkTrajectory(trajectory);
  return trajectory;
}

// So many motions over an interval. makeTracer checks that the scene has them.
Motions parseMotions(const Frame& request, std::size_t count, TimeInterval interval) {
  namespace column = columns::motion;
  const std::vector<double> centres = request.values(column::motionCentreM);
  std::vector<Pose> poses = posesIn(request.values(column::motionSteps));
  if (centres.size() != 3 * count || poses.size() % count != 0) {
    throw UnderstoryError(ErrorCode::badInput, "motions have a centre each and equally many steps");
  }
  for (std::size_t step = 0; step < poses.size(); ++step) checkRigid(poses[step], "a motion", step);
  Motions motions;
  motions.firstWindow = motionWindowOf(interval.fromNs);
  const auto steps = static_cast<std::ptrdiff_t>(poses.size() / count);
  for (std::size_t index = 0; index < count; ++index) {
    const auto from = poses.begin() + static_cast<std::ptrdiff_t>(index) * steps;
    const double* const centre = &centres[3 * index];
    motions.list.push_back({{centre[0], centre[1], centre[2]}, {from, from + steps}});
  }
  return motions;
}

// Five numbers each: x, y, z, the time in ns, the cross-section.
std::vector<Puff> parsePuffs(const Frame& request) {
  if (!request.has(columns::plume::puffs)) return {};
  const std::vector<double> parts = request.values(columns::plume::puffs);
  if (parts.size() % 5 != 0 ||
      !std::ranges::all_of(parts, [](double part) { return std::abs(part) <= maxPuffNumber; })) {
    throw UnderstoryError(ErrorCode::badInput, "puffs have five finite numbers each");
  }
  std::vector<Puff> puffs;
  for (std::size_t at = 0; at < parts.size(); at += 5) {
    puffs.push_back({{parts[at], parts[at + 1], parts[at + 2]},
                     static_cast<std::int64_t>(parts[at + 3]),
                     parts[at + 4]});
  }
  return puffs;
}

std::vector<ReturnColumn> columnsIn(FieldReader& body, const WordsField<ReturnColumn>& field) {
  std::vector<ReturnColumn> columns = body.words(field);
  for (auto column = columns.begin(); column != columns.end(); ++column) {
    if (std::find(columns.begin(), column, *column) == column) continue;
    body.refuse(field.name,
                "each column once, found '" + std::string(infoOf(*column).name) + "' twice");
  }
  return columns;
}

// Shared fields of scans, rays and waveforms.
PulseJob parsePulses(FieldReader& body, const Frame& request) {
  PulseJob job = parsePulseJob(body, request);
  job.chunkPulses = std::min(body.integer(fields::raysRequest::chunkPulses, job.chunkPulses),
                             maxChunkReturns / maxReturnsOf(job.sensor.returns));
  return job;
}

ScanJob parseInterval(FieldReader& body, const Frame& request) {
  ScanJob job{parsePulses(body, request), {}};
  job.withMisses = body.flag(fields::intervalRequest::misses);
  return job;
}

void sendChunk(const ScanJob& job, const RowChunk& chunk, Call& call) {
  std::vector<ColumnView> columns;
  for (std::size_t column = 0; column < job.columns.size(); ++column) {
    const ReturnColumnInfo& info = infoOf(job.columns[column]);
    columns.push_back({std::string(info.name), std::string(wordOf(info.type)), chunk.rows,
                       std::span<const std::byte>(chunk.columns[column])});
  }
  if (!call.chunk({{"rows", chunk.rows}}, columns)) throw cancelledError();
}

// Storage that the columns of the reply view.
struct ReplyStorage {
  std::vector<std::uint32_t> objectId;
  std::vector<std::uint32_t> objectReturns;
  std::vector<std::byte> packed;
  std::vector<std::vector<std::byte>> sample;
  MappedColumns mapped;
};

// How many returns each instance gave, by id, zero left out.
void fillObjectReturns(const TracedScene& scene, const ScanTotals& totals, ReplyStorage& storage) {
  for (const auto& [number, returns] : totals.returnsOfInstance.counted()) {
    storage.objectId.push_back(scene.truth().instances.idOf(number));
    storage.objectReturns.push_back(returns);
  }
}

json describePacked(const RowTemplate& rows, const PackedRecord& packed) {
  json bases = json::object();
  for (std::size_t field = 0; field < packed.bases.size(); ++field) {
    const PackedField& layout = rows.fields[field];
    if (layout.how != Packing::difference && layout.how != Packing::scaledDifference) continue;
    // Why text: a u64 does not fit into a number of JavaScript.
    bases[std::string(infoOf(layout.column).name)] = std::to_string(packed.bases[field]);
  }
  return {{"frameBytes", packed.frame.size()},
          {"uncompressedBytes", packed.uncompressedBytes},
          {"crc32", packed.crc32},
          {"bases", std::move(bases)}};
}

// The frames of all records, one after another.
std::vector<std::byte> joinedFrames(std::vector<PackedRecord>& records) {
  if (records.size() == 1) return std::move(records.front().frame);
  std::size_t bytes = 0;
  for (const PackedRecord& record : records) bytes += record.frame.size();
  std::vector<std::byte> frames;
  frames.reserve(bytes);
  for (const PackedRecord& record : records) {
    frames.insert(frames.end(), record.frame.begin(), record.frame.end());
  }
  return frames;
}

Message replyOf(const TracedScene& scene, const ScanJob& job, ScanTotals& totals,
                std::optional<MappedTick>&& mapped, StoredFrames& frames) {
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
                {"writeSeconds", totals.writeSeconds},
                {"peakRssBytes", peakRssBytes()}};
  reply.columns = {
      {"object_id", "u32", storage->objectId.size(), std::as_bytes(std::span(storage->objectId))},
      {"object_returns", "u32", storage->objectReturns.size(),
       std::as_bytes(std::span(storage->objectReturns))}};
  if (!totals.packed.empty()) {
    json packed = json::array();
    for (std::size_t index = 0; index < totals.packed.size(); ++index) {
      const RowTemplate& rows = job.packings[index];
      PackedRecord& record = totals.packed[index];
      packed.push_back(describePacked(rows, record));
      const bool isStored =
          rows.frameUse == FrameUse::stored && record.frame.size() >= bounds::minStoredBytes;
      if (!isStored) continue;
      packed.back()["stored"] = frames.store(std::move(record.frame));
      record.frame.clear();
    }
    reply.body["packed"] = std::move(packed);
    storage->packed = joinedFrames(totals.packed);
    reply.columns.push_back({"packed", "u8", storage->packed.size(), storage->packed});
  }
  storage->sample = std::move(totals.sample);
  for (std::size_t column = 0; column < storage->sample.size(); ++column) {
    const ReturnColumnInfo& info = infoOf(job.sampleColumns[column]);
    reply.columns.push_back({"sample_" + std::string(info.name), std::string(wordOf(info.type)),
                             totals.sampleRows, storage->sample[column]});
  }
  if (mapped) {
    storage->mapped = MappedColumns(std::move(*mapped));
    storage->mapped.addTo(reply.columns);
  }
  reply.storage = storage;
  return reply;
}

}  // namespace

PulseJob parsePulseJob(FieldReader& body, const Frame& request) {
  namespace at = fields::intervalRequest;
  PulseJob job;
  job.sensor = mutated(readObject(body.any(at::sensor), "sensor", readSensorRecipe));
  job.trajectory = parseTrajectory(request);
  job.seed = body.integer<std::uint64_t>(at::seed);
  job.interval.fromNs = body.integer(at::fromNs);
  job.interval.toNs = body.integer(at::toNs);
  if (body.has(at::motions)) {
    job.motions = parseMotions(request, body.integer<std::size_t>(at::motions), job.interval);
  }
  job.puffs = parsePuffs(request);
  return job;
}

ScanJob parseScanFields(FieldReader& body, const Frame& request) {
  namespace at = fields::scanRequest;
  ScanJob job = parseInterval(body, request);
  job.columns = columnsIn(body, at::columns);
  if (body.has(at::hashColumns)) job.hashColumns = columnsIn(body, at::hashColumns);
  if (body.has(at::packed)) {
    TemplatePieces pieces(request);
    job.packings = body.list(at::packed,
                             [&](FieldReader& packed) { return parseRowTemplate(packed, pieces); });
    pieces.expectEnd();
  }
  if (body.has(at::map)) {
    job.mapping = parseTickMapping(body.object(at::map, readTickMap), request);
    job.needsSensorPoints = true;
  }
  if (body.has(at::sample)) {
    job.sampleRows = body.object(at::sample, [&](FieldReader& sample) {
      job.sampleColumns = columnsIn(sample, fields::sample::columns);
      return sample.integer<std::size_t>(fields::sample::maxRows);
    });
  }
  return job;
}

ScanJob parseScanJob(const Frame& request) {
  return readObject(request.header.at("body"), "request",
                    [&](FieldReader& body) { return parseScanFields(body, request); });
}

ScanJob parseIntervalJob(const Frame& request) {
  return readObject(request.header.at("body"), "request",
                    [&](FieldReader& body) { return parseInterval(body, request); });
}

PulseJob parseRaysJob(const Frame& request) {
  return readObject(request.header.at("body"), "request",
                    [&](FieldReader& body) { return parsePulses(body, request); });
}

Message handleScan(const TracedScene& scene, const Frame& request, Call& call,
                   TestSwitches& testSwitches, OtherRanks* ranks, const DriveMemory& drive) {
  const ScanJob job = parseScanJob(request);
  if (job.mapping && ranks != nullptr) {
    throw UnderstoryError(ErrorCode::unsupported, "a scan over ranks is not mapped");
  }
  ScanSink sink;
  sink.watch = watchOf(call);
  sink.takeChunk = [&](const RowChunk& chunk) {
    sendChunk(job, chunk, call);
    testSwitches.afterChunk();
  };
  sink.beginTracing = [&] { call.waitForTurn(); };
  sink.endTracing = [&] { call.endTurn(); };
  ScanTotals totals = scan(scene, job, sink, ranks);
  std::optional<MappedTick> mapped;
  // Ticks are mapped in their order.
  call.waitForEarlier();
  // An earlier one may have been cancelled with this one: its tick is then missing.
  sink.watch.throwIfCancelled();
  if (job.mapping) {
    mapped = drive.mapper.take(*job.mapping, std::move(totals.registered), onThreads);
  }
  return replyOf(scene, job, totals, std::move(mapped), drive.frames);
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
