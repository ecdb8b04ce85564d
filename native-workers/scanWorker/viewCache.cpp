// One log, and models by use.
#include "scanWorker/viewCache.h"

#include <algorithm>
#include <system_error>

#include "core/error.h"
#include "core/regularFile.h"
#include "scanWorker/evaluateHandler.h"

namespace understory {
namespace {

// 16 million beams are 800 MB: more than can be shown, and enough of a log of 80 million for a place.
constexpr std::uint64_t maxHeldBeams = std::uint64_t{16} << 20U;
constexpr std::uint64_t minHeldBeams = 1000;
// In memory, with the trees that lines need, against bytes of the file.
constexpr std::uint64_t modelFactor = 4;

UnderstoryError tooLarge(const std::string& path, std::uint64_t bytes, std::uint64_t limitBytes) {
  return UnderstoryError(ErrorCode::sceneTooLarge,
                         "'" + path + "' takes " + std::to_string(bytes / 1'000'000) +
                             " MB of memory, more than the limit of " +
                             std::to_string(limitBytes / 1'000'000) + " MB",
                         {{"bytes", bytes}, {"limitBytes", limitBytes}});
}

}  // namespace

const LearnedLines& HeldModel::withLines() {
  if (!lines) lines = std::make_unique<const LearnedLines>(model);
  return *lines;
}

ViewCache::FileState ViewCache::stateOf(const std::string& path) {
  const std::uint64_t bytes = regularFileBytes(path);
  std::error_code failure;
  const auto modified = std::filesystem::last_write_time(path, failure);
  return {path, bytes, modified};
}

std::shared_ptr<const LogSample> ViewCache::log(const std::string& path,
                                                std::uint64_t memoryLimitBytes,
                                                const Watch& watch) {
  const FileState file = stateOf(path);
  const std::uint64_t fitting = memoryLimitBytes / 2 / (bytesPerBeam + sizeof(std::uint64_t));
  if (log_ && file == logFile_ && maxLogBeams_ <= fitting) return log_;
  if (fitting < minHeldBeams) {
    throw tooLarge(path, minHeldBeams * bytesPerBeam, memoryLimitBytes / 2);
  }
  log_.reset();
  const std::size_t maxBeams = std::min(fitting, maxHeldBeams);
  auto held = std::make_shared<const LogSample>(readLogSample(openLog(path), maxBeams, watch));
  logFile_ = file;
  maxLogBeams_ = held->beams.size();
  log_ = std::move(held);
  return log_;
}

std::shared_ptr<HeldModel> ViewCache::model(const std::string& path, std::uint64_t memoryLimitBytes,
                                            const Watch& watch) {
  const FileState file = stateOf(path);
  const auto known = std::ranges::find(models_, file, &KnownModel::file);
  if (known != models_.end()) {
    models_.splice(models_.begin(), models_, known);
    return models_.front().held;
  }
  models_.remove_if([&](const KnownModel& other) { return other.file.path == path; });
  const std::uint64_t limit = memoryLimitBytes / 2;
  if (file.bytes * modelFactor > limit) throw tooLarge(path, file.bytes * modelFactor, limit);
  const auto total = [&] {
    std::uint64_t bytes = file.bytes * modelFactor;
    for (const KnownModel& other : models_) bytes += other.file.bytes * modelFactor;
    return bytes;
  };
  while (!models_.empty() && total() > limit) models_.pop_back();
  auto held = std::make_shared<HeldModel>();
  held->model = learnedModelIn(path, watch);
  models_.push_front({file, held});
  return held;
}

}  // namespace understory
