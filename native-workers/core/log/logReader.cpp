// Sections, frames, columns: each checked where it is read.
#include "core/log/logReader.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <memory>

#include "core/error.h"
#include "core/hex.h"
#include "protocol/frame.h"

namespace understory {
namespace {

using nlohmann::json;

constexpr std::string_view startMagic = "USLOG1\r\n";
constexpr std::string_view endMagic = "USLOGEND";
constexpr std::uint64_t trailerBytes = 8 + 32 + 8;
constexpr std::uint64_t sectionHeadBytes = 16;
constexpr std::uint64_t maxSectionBytes = std::uint64_t{256} << 20U;
constexpr std::size_t maxChunkBeams = 65536;

std::uint64_t u64At(std::span<const std::byte> bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

struct Source {
  const ReadAt& readAt;
  std::uint64_t bytes;
  const std::string& file;

  [[noreturn]] void refuse(std::uint64_t byte, const std::string& expected) const {
    throw UnderstoryError(ErrorCode::corrupt,
                          file + ", byte " + std::to_string(byte) + ": expected " + expected,
                          {{"file", file}, {"byte", byte}, {"expected", expected}});
  }

  std::vector<std::byte> at(std::uint64_t offset, std::uint64_t count) const {
    std::vector<std::byte> result(count);
    readAt(offset, result);
    return result;
  }

  void expectMagic(std::uint64_t offset, std::string_view magic, const char* expected) const {
    const std::vector<std::byte> found = at(offset, magic.size());
    if (std::memcmp(found.data(), magic.data(), magic.size()) != 0) refuse(offset, expected);
  }
};

// The frame of a section.
Frame sectionAt(const Source& source, std::uint64_t offset, std::string_view method) {
  const std::uint64_t end = source.bytes - trailerBytes;
  if (offset < startMagic.size() || offset > end || end - offset < sectionHeadBytes) {
    source.refuse(offset, "a section before the end of the file");
  }
  const std::vector<std::byte> head = source.at(offset, sectionHeadBytes);
  const std::uint64_t packedBytes = u64At(head);
  const std::uint64_t contentBytes = u64At(std::span(head).subspan(8));
  if (packedBytes > maxSectionBytes || contentBytes > maxSectionBytes ||
      packedBytes > end - offset - sectionHeadBytes) {
    source.refuse(offset, "the lengths of a section within the file and below 256 MiB");
  }
  const std::vector<std::byte> packed = source.at(offset + sectionHeadBytes, packedBytes);
  const auto stated = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (stated != ZSTD_CONTENTSIZE_UNKNOWN && stated != contentBytes) {
    source.refuse(offset, "a zstd frame of the length that the section states");
  }
  std::vector<std::byte> content(contentBytes);
  const std::size_t got =
      ZSTD_decompress(content.data(), content.size(), packed.data(), packed.size());
  if (ZSTD_isError(got) != 0 || got != contentBytes) {
    source.refuse(offset, "a zstd frame without damage");
  }
  std::optional<Frame> found;
  std::size_t frames = 0;
  FrameReader reader;
  try {
    reader.push(content, [&](Frame&& frame) {
      ++frames;
      found = std::move(frame);
    });
  } catch (const ProtocolError& error) {
    source.refuse(offset, std::string("a frame: ") + error.what());
  }
  if (frames != 1 || !reader.isIdle() || found->header.value("method", json()) != method) {
    source.refuse(offset, "one frame '" + std::string(method) + "'");
  }
  return std::move(*found);
}

std::optional<double> numberIn(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number()) return {};
  return found->get<double>();
}

Vec3d positionIn(const json& value) {
  return {value.at(0).get<double>(), value.at(1).get<double>(), value.at(2).get<double>()};
}

std::optional<LogHead::Detection> detectionIn(const json& sensor) {
  const json found = sensor.value(json::json_pointer("/recipe/returns/detection"), json());
  if (!found.is_object()) return {};
  return LogHead::Detection{found.value("reflectance", 0.0), found.value("rangeM", 0.0),
                            found.value("probability", 0.0),
                            found.value("falseAlarmsPerPulse", 0.0)};
}

LogHead headOf(const Frame& frame) {
  const json& body = frame.header.at("body");
  LogHead head;
  if (body.at("format") != 1) throw std::runtime_error("version 1 of the format");
  head.originM = positionIn(body.at("originM"));
  if (body.at("crs").is_string()) head.crs = body.at("crs").get<std::string>();
  head.columns = body.at("columns").get<std::vector<std::string>>();
  head.classes = body.at("classes").get<std::vector<std::string>>();
  const json& sensor = body.at("sensor");
  if (sensor.at("name").is_string()) head.sensor = sensor.at("name").get<std::string>();
  head.minRangeM = numberIn(sensor, "minM");
  head.maxRangeM = numberIn(sensor, "maxM");
  head.rangeStepM = numberIn(sensor, "rangeStepM");
  head.detection = detectionIn(sensor);
  head.intensityOfWhite = numberIn(body, "intensityOfWhite");
  head.knowsMisses = body.at("misses").get<std::string>() != "unknown";
  return head;
}

// The columns of a chunk, all of one length.
struct ChunkColumns {
  explicit ChunkColumns(const Frame& frame) {
    namespace at = columns::log;
    sweep = frame.values(at::sweep);
    state = frame.values(at::state);
    rangeM = frame.values(at::rangeM);
    intensity = frame.values(at::intensity);
    origin = {frame.values(at::originXM), frame.values(at::originYM), frame.values(at::originZM)};
    direction = {frame.values(at::directionX), frame.values(at::directionY),
                 frame.values(at::directionZ)};
    laser = frame.values(at::laser);
    azimuthRad = frame.values(at::azimuthRad);
    if (frame.has(at::label)) label = frame.values(at::label);
    if (frame.has(at::classId)) classIds = frame.values(at::classId);
  }
  bool haveRows(std::size_t rows) const {
    const auto fits = [&](const auto& column) { return column.size() == rows; };
    return fits(sweep) && fits(state) && fits(rangeM) && fits(intensity) && fits(laser) &&
           fits(azimuthRad) && std::ranges::all_of(origin, fits) &&
           std::ranges::all_of(direction, fits) && (label.empty() || fits(label)) &&
           (classIds.empty() || fits(classIds));
  }

  std::vector<std::uint32_t> sweep;
  std::vector<std::uint8_t> state;
  std::vector<float> rangeM;
  std::vector<float> intensity;
  std::array<std::vector<float>, 3> origin;
  std::array<std::vector<float>, 3> direction;
  std::vector<std::uint16_t> laser;
  std::vector<float> azimuthRad;
  std::vector<std::uint8_t> label;
  std::vector<std::uint16_t> classIds;
};

// The rule that a row breaks; nullptr: none.
const char* faultOf(const ChunkColumns& rows, std::size_t row) {
  if (rows.state[row] > 3) return "a state of 0 to 3";
  const bool isReturn = rows.state[row] == static_cast<std::uint8_t>(BeamState::returned);
  const float range = rows.rangeM[row];
  if (isReturn ? !(range > 0.0F && range < 1e6F) : !std::isnan(range)) {
    return "a range above 0 exactly where there is a return";
  }
  const Vec3f direction{rows.direction[0][row], rows.direction[1][row], rows.direction[2][row]};
  if (!(std::abs(length(direction) - 1.0F) < 1e-3F)) return "directions of length 1";
  for (const auto& part : rows.origin) {
    if (!(std::abs(part[row]) < 1e7F)) return "finite origins";
  }
  if (!rows.label.empty() && rows.label[row] > 2) return "a label of 0 to 2";
  return nullptr;
}

}  // namespace

bool LogHead::has(std::string_view column) const {
  return std::ranges::find(columns, column) != columns.end();
}

LogReader::LogReader(ReadAt readAt, std::uint64_t fileBytes, std::string file)
    : readAt_(std::move(readAt)), fileBytes_(fileBytes), file_(std::move(file)) {
  const Source source{readAt_, fileBytes_, file_};
  if (fileBytes < startMagic.size() + trailerBytes) source.refuse(0, "a log");
  source.expectMagic(0, startMagic, "a log");
  source.expectMagic(fileBytes - endMagic.size(), endMagic,
                     "the end of a log: the file was cut off");
  const std::vector<std::byte> trailer = source.at(fileBytes - trailerBytes, trailerBytes);
  hash_ = hexOf(std::span(trailer).subspan(8, 32));
  const std::uint64_t summaryAt = u64At(trailer);
  try {
    head_ = headOf(sectionAt(source, startMagic.size(), "log.head"));
    const Frame summary = sectionAt(source, summaryAt, "log.summary");
    const json& body = summary.header.at("body");
    counts_ = {body.at("beams").get<std::uint64_t>(), body.at("returns").get<std::uint64_t>(),
               body.at("misses").get<std::uint64_t>(),
               body.at("missesInferred").get<std::uint64_t>(),
               body.at("unknown").get<std::uint64_t>()};
    offsets_ = summary.values(columns::logChunk::offset);
    rows_ = summary.values(columns::logChunk::beams);
  } catch (const json::exception& error) {
    source.refuse(0, std::string("head and summary of a log: ") + error.what());
  } catch (const ProtocolError& error) {
    source.refuse(summaryAt, error.what());
  } catch (const UnderstoryError&) {
    throw;
  } catch (const std::runtime_error& error) {
    source.refuse(0, error.what());
  }
  std::uint64_t beams = 0;
  if (rows_.size() != offsets_.size()) source.refuse(summaryAt, "a row for each chunk");
  for (const std::uint32_t rows : rows_) {
    if (rows > maxChunkBeams) source.refuse(summaryAt, "at most 65536 beams in a chunk");
    beams += rows;
  }
  if (beams != counts_.beams) source.refuse(summaryAt, "counts that are those of the chunks");
}

void LogReader::appendChunk(std::size_t chunk, Vec3d originM, Beams& beams, BeamParts parts) const {
  const Source source{readAt_, fileBytes_, file_};
  const std::uint64_t offset = offsets_.at(chunk);
  const Frame frame = sectionAt(source, offset, "log.beams");
  try {
    const ChunkColumns rows(frame);
    if (!rows.haveRows(rows_[chunk])) source.refuse(offset, "columns of the length stated");
    const Vec3d base = head_.originM + positionIn(frame.header.at("body").at("originM")) - originM;
    for (std::size_t row = 0; row < rows_[chunk]; ++row) {
      if (const char* expected = faultOf(rows, row)) {
        source.refuse(offset, std::string(expected) + " (row " + std::to_string(row) + ")");
      }
      const auto part = [&](std::size_t axis) {
        return static_cast<double>(rows.origin[axis][row]);
      };
      beams.originM.push_back(toFloat(base + Vec3d{part(0), part(1), part(2)}));
      beams.direction.push_back(
          {rows.direction[0][row], rows.direction[1][row], rows.direction[2][row]});
      beams.rangeM.push_back(rows.rangeM[row]);
      beams.state.push_back(rows.state[row]);
      beams.intensity.push_back(rows.intensity[row]);
      beams.sweep.push_back(rows.sweep[row]);
      if (!rows.label.empty()) beams.label.push_back(rows.label[row]);
      if (!rows.classIds.empty()) beams.classIds.push_back(rows.classIds[row]);
    }
    if (parts == BeamParts::raysAndLasers) {
      beams.laser.insert(beams.laser.end(), rows.laser.begin(), rows.laser.end());
      beams.azimuthRad.insert(beams.azimuthRad.end(), rows.azimuthRad.begin(),
                              rows.azimuthRad.end());
    }
  } catch (const json::exception& error) {
    source.refuse(offset, std::string("the origin of a chunk: ") + error.what());
  } catch (const ProtocolError& error) {
    source.refuse(offset, error.what());
  }
}

LogReader openLog(const std::string& path) {
  const auto stream = std::make_shared<std::ifstream>(path, std::ios::binary | std::ios::ate);
  if (!*stream) {
    throw UnderstoryError(ErrorCode::notFound,
                          "there is no log '" + path + "', or it cannot be read");
  }
  const auto bytes = static_cast<std::uint64_t>(stream->tellg());
  return LogReader(
      [stream, path](std::uint64_t offset, std::span<std::byte> into) {
        stream->clear();
        stream->seekg(static_cast<std::streamoff>(offset));
        stream->read(reinterpret_cast<char*>(into.data()),
                     static_cast<std::streamsize>(into.size()));
        if (!*stream) throw UnderstoryError(ErrorCode::io, "'" + path + "' cannot be read");
      },
      bytes, path);
}

Beams readBeams(const std::vector<LogReader>& logs, std::uint64_t maxBeams, const Watch& watch,
                BeamParts parts) {
  std::uint64_t total = 0;
  std::size_t chunks = 0;
  for (const LogReader& log : logs) {
    total += log.counts().beams;
    chunks += log.chunks();
  }
  if (total > maxBeams) {
    throw UnderstoryError(ErrorCode::badInput,
                          std::to_string(total) + " beams do not fit in memory; at most " +
                              std::to_string(maxBeams) + " do",
                          {{"beams", total}, {"maxBeams", maxBeams}});
  }
  Beams beams;
  const bool hasLabels =
      std::ranges::all_of(logs, [](const LogReader& log) { return log.head().has("label"); });
  const bool hasClasses = std::ranges::all_of(logs, [&](const LogReader& log) {
    return log.head().has("class_id") && log.head().classes == logs.front().head().classes;
  });
  beams.originM.reserve(total);
  beams.direction.reserve(total);
  beams.rangeM.reserve(total);
  beams.state.reserve(total);
  beams.intensity.reserve(total);
  beams.sweep.reserve(total);
  if (hasLabels) beams.label.reserve(total);
  if (hasClasses) beams.classIds.reserve(total);
  std::uint32_t firstSweep = 0;
  std::size_t done = 0;
  for (const LogReader& log : logs) {
    const std::size_t from = beams.size();
    for (std::size_t chunk = 0; chunk < log.chunks(); ++chunk) {
      watch.throwIfCancelled();
      log.appendChunk(chunk, logs.front().head().originM, beams, parts);
      if (!hasLabels) beams.label.clear();
      if (!hasClasses) beams.classIds.clear();
      if (watch.onProgress) watch.onProgress("log", ++done, chunks);
    }
    std::uint32_t last = firstSweep;
    for (std::size_t beam = from; beam < beams.size(); ++beam) {
      beams.sweep[beam] += firstSweep;
      last = std::max(last, beams.sweep[beam] + 1);
    }
    firstSweep = last;
  }
  return beams;
}

}  // namespace understory
