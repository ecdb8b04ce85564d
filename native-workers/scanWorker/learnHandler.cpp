// The learn method. The file is written aside, synced and renamed: there is the whole model or none.
#include "scanWorker/learnHandler.h"

#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "core/error.h"
#include "core/fieldReader.h"
#include "core/hex.h"
#include "core/learned/learnedFile.h"
#include "core/log/logReader.h"
#include "learn/learnModel.h"
#include "learn/learningMemory.h"
#include "scanWorker/scanHandler.h"

namespace understory {
namespace {

using nlohmann::json;

struct LearnJob {
  std::vector<std::string> logs;
  std::string out;
  LearnOptions options;
  std::uint64_t memoryLimitBytes = 0;
};

void parseVolume(FieldReader& value, LearnOptions& options) {
  namespace at = fields::volumeParameters;
  options.counting = value.word(at::counting);
  options.voxelM = value.number(at::voxelM);
  options.choosesVoxel = value.flag(at::choosesVoxel);
  options.minPoints = value.integer<std::uint32_t>(at::minPoints);
  options.mahalanobisLimit = value.number(at::mahalanobisLimit);
  options.minSigmaM = value.number(at::minSigmaM);
  options.means = value.integer<std::uint32_t>(at::means);
  options.stopPoints = value.integer<std::uint32_t>(at::stopPoints);
  options.restarts = value.integer<std::uint32_t>(at::restarts);
}

void parseSurface(FieldReader& value, LearnOptions& options) {
  namespace at = fields::surfaceParameters;
  options.surface.gridM = value.number(at::gridM);
  options.surface.kernelM = value.number(at::kernelM);
  options.hitOffsetM = value.number(at::hitOffsetM);
  options.pointRadiusM = value.number(at::pointRadiusM);
}

void parseClassifier(FieldReader& value, LearnOptions& options) {
  namespace at = fields::classifierParameters;
  options.learnsClassifier = value.flag(at::isLearned);
  ClassifierOptions& classifier = options.classifier;
  classifier.radiusM = value.number(at::radiusM);
  classifier.defaultSphericity = value.number(at::defaultSphericity);
  classifier.minNeighbours = value.integer<std::uint32_t>(at::minNeighbours);
  classifier.filterNeighbours = value.integer<std::uint32_t>(at::filterNeighbours);
  classifier.filterRadiusM = value.number(at::filterRadiusM);
  classifier.distanceWeight = value.number(at::distanceWeight);
  classifier.scoreWeight = value.number(at::scoreWeight);
  classifier.volumeSphericity = value.number(at::volumeSphericity);
}

LearnJob parseJob(FieldReader& body) {
  namespace at = fields::learnRequest;
  LearnJob job;
  job.logs = body.texts(at::logs);
  if (job.logs.empty()) body.refuse(at::logs.name, "at least one file");
  job.out = body.text(at::out);
  job.options.kind = body.word(at::model);
  job.options.seed = body.integer<std::uint64_t>(at::seed);
  job.memoryLimitBytes = body.integer<std::uint64_t>(at::memoryLimitBytes);
  body.object(at::parameters, [&](FieldReader& parameters) {
    namespace part = fields::learnParameters;
    parameters.object(part::volume, [&](FieldReader& value) {
      parseVolume(value, job.options);
      return true;
    });
    parameters.object(part::surface, [&](FieldReader& value) {
      parseSurface(value, job.options);
      return true;
    });
    parameters.object(part::classifier, [&](FieldReader& value) {
      parseClassifier(value, job.options);
      return true;
    });
    return true;
  });
  return job;
}

// A file that appears under its name when it is whole, and not at all where that fails.
class FileAside {
 public:
  explicit FileAside(const std::string& path)
      : path_(path), aside_(path + ".part"), file_(std::fopen(aside_.c_str(), "wb")) {
    if (file_ == nullptr) throw failure("be written");
  }
  FileAside(const FileAside&) = delete;
  FileAside& operator=(const FileAside&) = delete;
  ~FileAside() {
    if (file_ != nullptr) std::fclose(file_);
    if (!isDone_) std::remove(aside_.c_str());
  }

  void write(std::string_view bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size())
      throw failure("be written");
  }
  void finish() {
    if (std::fflush(file_) != 0 || fsync(fileno(file_)) != 0) throw failure("be written");
    if (std::fclose(std::exchange(file_, nullptr)) != 0) throw failure("be written");
    if (std::rename(aside_.c_str(), path_.c_str()) != 0) throw failure("be renamed");
    isDone_ = true;
  }

 private:
  UnderstoryError failure(const char* what) const {
    const ErrorCode code = errno == ENOSPC || errno == EDQUOT ? ErrorCode::diskFull : ErrorCode::io;
    return UnderstoryError(code, "'" + path_ + "' cannot " + what + ": " + std::strerror(errno));
  }

  std::string path_;
  std::string aside_;
  std::FILE* file_;
  bool isDone_ = false;
};

// Writes the model. Returns the hash of the file's bytes.
std::string writeModel(const LearnedModel& model, const std::string& out, const Watch& watch) {
  FileAside file(out);
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                       XXH3_freeState);
  XXH3_128bits_reset(state.get());
  writeLearnedModel(
      model,
      [&](std::string_view bytes) {
        XXH3_128bits_update(state.get(), bytes.data(), bytes.size());
        file.write(bytes);
      },
      watch);
  file.finish();
  XXH128_canonical_t hash;
  XXH128_canonicalFromHash(&hash, XXH3_128bits_digest(state.get()));
  return hexOf(std::as_bytes(std::span(hash.digest)));
}

}  // namespace

void refuseAboveLimit(std::uint64_t bytes, std::uint64_t count, std::string_view items,
                      std::uint64_t limitBytes) {
  if (bytes <= limitBytes) return;
  const auto megabytes = [](std::uint64_t value) {
    return std::to_string(value / 1'000'000) + " MB";
  };
  throw UnderstoryError(ErrorCode::sceneTooLarge,
                        "the work on " + std::to_string(count) + " " + std::string(items) +
                            " takes " + megabytes(bytes) + " of memory, more than the limit of " +
                            megabytes(limitBytes),
                        {{items, count}, {"bytes", bytes}, {"limitBytes", limitBytes}});
}

Message handleLearn(const Frame& request, Call& call, const std::string& engine) {
  const Stopwatch stopwatch;
  const LearnJob job = readObject(request.header.at("body"), "request", parseJob);
  const Watch watch = watchOf(call);
  std::vector<LogReader> logs;
  LearnSources sources;
  LogCounts counts;
  bool knowsMisses = true;
  for (const std::string& path : job.logs) {
    const LogReader& log = logs.emplace_back(openLog(path));
    sources.heads.push_back(log.head());
    sources.hashes.push_back(log.hash());
    counts.beams += log.counts().beams;
    counts.returns += log.counts().returns;
    counts.misses += log.counts().misses + log.counts().missesInferred;
    knowsMisses = knowsMisses && log.head().knowsMisses;
  }
  const bool holdsTwice = job.options.choosesVoxel && job.options.kind == LearnedKind::voxel;
  refuseAboveLimit(learningBytes(job.options.kind, counts.beams) * (holdsTwice ? 2 : 1) +
                       countingBytes(job.options.kind, counts.beams),
                   counts.beams, "beams", job.memoryLimitBytes);
  const Beams beams = readBeams(logs, counts.beams, watch);
  LearnedModel model = learnModel(beams, sources, job.options, watch);
  model.engine = engine;
  const std::string hash = writeModel(model, job.out, watch);
  Message reply;
  reply.body = {{"elements", model.elements.size()},
                {"triangles", model.surface.size()},
                {"points", model.points.size()},
                {"beams", counts.beams},
                {"returns", counts.returns},
                {"misses", counts.misses},
                {"knowsMisses", knowsMisses},
                {"crs", model.crs.empty() ? json() : json(model.crs)},
                {"parameters", model.parameters},
                {"surfaceSigmaM", model.surfaceSigmaM},
                {"incidenceSigmaM", model.incidenceSigmaM},
                {"hash", hash},
                {"seconds", stopwatch.seconds()},
                {"peakRssBytes", peakRssBytes()}};
  return reply;
}

}  // namespace understory
