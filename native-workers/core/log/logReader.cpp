// Sections, frames, columns: each checked where it is read.
#include "core/log/logReader.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "core/error.h"
#include "core/hex.h"
#include "core/regularFile.h"
#include "core/sha256.h"
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
// Bytes of a beam in the columns that every log has.
constexpr std::uint64_t minBeamBytes = 8 + 4 + 2 + 1 + 9 * sizeof(float);

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

// The lengths of a section.
struct SectionHead {
  std::uint64_t packedBytes;
  std::uint64_t contentBytes;
  std::uint64_t next;  // offset behind it
};

SectionHead sectionHeadAt(const Source& source, std::uint64_t offset) {
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
  return {packedBytes, contentBytes, offset + sectionHeadBytes + packedBytes};
}

// The frame of a section, whose content is added to the hash.
Frame sectionAt(const Source& source, std::uint64_t offset, std::string_view method, Sha256& sum) {
  const auto [packedBytes, contentBytes, next] = sectionHeadAt(source, offset);
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
  sum.update(content);
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

template <typename Value>
void expectColumn(const Frame& frame, TypedColumn<Value> wanted) {
  frame.column(std::string(wanted.name), std::string(wordOf(TypeOf<Value>::type)));
}

// The columns of a chunk, all of one length.
struct ChunkColumns {
  explicit ChunkColumns(const Frame& frame) {
    namespace at = columns::log;
    expectColumn(frame, at::timeNs);
    if (frame.has(at::objectId)) expectColumn(frame, at::objectId);
    if (frame.has(at::trueRangeM)) expectColumn(frame, at::trueRangeM);
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
    if (frame.has(at::beamShare)) share = frame.values(at::beamShare);
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
  std::vector<float> share;
};

// Whether a frame has the columns that the head names and no others, all with `rows` rows.
bool hasColumns(const Frame& frame, const LogHead& head, std::size_t rows) {
  return frame.columns.size() == head.columns.size() &&
         std::ranges::all_of(frame.columns, [&](const ColumnView& column) {
           return column.count == rows && head.has(column.name);
         });
}

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
  if (!rows.share.empty() && !(rows.share[row] > 0.0F && rows.share[row] <= 1.0F)) {
    return "a share above 0 and up to 1";
  }
  return nullptr;
}

}  // namespace

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
    head_ = logHeadOf(sectionAt(source, startMagic.size(), "log.head", headSum_).header.at("body"));
    Sha256 unused;
    const Frame summary = sectionAt(source, summaryAt, "log.summary", unused);
    counts_ = logCountsOf(summary.header.at("body"));
    if (counts_.beams > 0) readChunkTable(summary);
  } catch (const json::exception& error) {
    source.refuse(0, std::string("head and summary of a log: ") + error.what());
  } catch (const ProtocolError& error) {
    source.refuse(summaryAt, error.what());
  } catch (const UnderstoryError&) {
    throw;
  } catch (const std::runtime_error& error) {
    source.refuse(0, error.what());
  }
  checkChunks(summaryAt);
}

void LogReader::readChunkTable(const Frame& summary) {
  namespace at = columns::logChunk;
  offsets_ = summary.values(at::offset);
  rows_ = summary.values(at::beams);
  for (const auto& time : {at::fromNs, at::toNs}) expectColumn(summary, time);
  for (const auto& corner : {at::minXM, at::minYM, at::minZM, at::maxXM, at::maxYM, at::maxZM}) {
    expectColumn(summary, corner);
  }
  const bool isOneTable = std::ranges::all_of(
      summary.columns, [&](const ColumnView& column) { return column.count == offsets_.size(); });
  if (!isOneTable) throw std::runtime_error("a row for each chunk");
}

// Sections follow each other from the head to the summary, each long enough for its beams: no offset, and no number of
// beams, is that of bytes which are not there.
void LogReader::checkChunks(std::uint64_t summaryAt) const {
  const Source source{readAt_, fileBytes_, file_};
  std::uint64_t next = sectionHeadAt(source, startMagic.size()).next;
  std::uint64_t beams = 0;
  for (std::size_t chunk = 0; chunk < chunks(); ++chunk) {
    if (offsets_[chunk] != next) source.refuse(offsets_[chunk], "sections that follow each other");
    const SectionHead section = sectionHeadAt(source, next);
    const std::uint64_t rows = rows_[chunk];
    if (rows == 0 || rows > maxChunkBeams || rows * minBeamBytes > section.contentBytes) {
      source.refuse(next, "1 to 65536 beams in a chunk, as many as its bytes hold");
    }
    beams += rows;
    next = section.next;
  }
  if (next != summaryAt) source.refuse(summaryAt, "the summary behind the last chunk");
  if (sectionHeadAt(source, summaryAt).next != fileBytes_ - trailerBytes) {
    source.refuse(summaryAt, "the summary at the end");
  }
  if (beams != counts_.beams) source.refuse(summaryAt, "counts that are those of the chunks");
}

void LogReader::appendChunk(std::size_t chunk, Vec3d originM, Beams& beams, Sha256& sum,
                            BeamParts parts) const {
  const Source source{readAt_, fileBytes_, file_};
  const std::uint64_t offset = offsets_.at(chunk);
  const Frame frame = sectionAt(source, offset, "log.beams", sum);
  try {
    if (frame.header.value("seq", json()) != chunk) source.refuse(offset, "its number as 'seq'");
    if (!hasColumns(frame, head_, rows_[chunk])) {
      source.refuse(offset, "the columns of the head, of the length stated");
    }
    const ChunkColumns rows(frame);
    const Vec3d base =
        head_.originM + logPositionOf(frame.header.at("body").at("originM")) - originM;
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
    if (parts == BeamParts::raysAndShares) {
      beams.share.insert(beams.share.end(), rows.share.begin(), rows.share.end());
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

void LogReader::expectHash(Sha256 sum) const {
  const Source source{readAt_, fileBytes_, file_};
  const std::vector<std::byte> trailer = source.at(fileBytes_ - trailerBytes, trailerBytes);
  sectionAt(source, u64At(trailer), "log.summary", sum);
  if (hexOf(sum.digest()) != hash_) source.refuse(fileBytes_ - 40, "the SHA-256 of its contents");
}

LogReader openLog(const std::string& path) {
  const auto file = std::make_shared<const RegularFile>(path, anySize);
  return LogReader(
      [file](std::uint64_t offset, std::span<std::byte> into) { file->read(offset, into); },
      file->bytes(), path);
}

void expectPulses(const LogReader& log) {
  if (!log.head().has(columns::log::beamShare.name)) return;
  throw UnderstoryError(
      ErrorCode::badInput,
      "a log with all returns has parts of pulses, which `estimate` counts: one with a "
      "single return of each pulse is expected");
}

Beams readBeams(const std::vector<LogReader>& logs, std::uint64_t maxBeams, const Watch& watch,
                BeamParts parts) {
  std::uint64_t total = 0;
  std::size_t chunks = 0;
  for (const LogReader& log : logs) {
    total += log.counts().beams;
    chunks += log.chunks();
  }
  for (const LogReader& log : logs) expectPulses(log);
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
    beams.logStarts.push_back(from);
    Sha256 sum = log.headSum();
    for (std::size_t chunk = 0; chunk < log.chunks(); ++chunk) {
      watch.throwIfCancelled();
      log.appendChunk(chunk, logs.front().head().originM, beams, sum, parts);
      if (!hasLabels) beams.label.clear();
      if (!hasClasses) beams.classIds.clear();
      if (watch.onProgress) watch.onProgress("log", ++done, chunks);
    }
    log.expectHash(sum);
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
