// Logs and learned models that views were asked for last: a click into a model does not read it again. What they answer
// does not depend on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <string>

#include "learn/learnedLines.h"
#include "learn/logSample.h"

namespace understory {

struct HeldModel {
  LearnedModel model;
  std::unique_ptr<const LearnedLines> lines;  // made when they are first needed

  const LearnedLines& withLines();
};

// Used by one thread.
class ViewCache {
 public:
  // The log of a file. Throws 'scene-too-large' where a thousand beams do not fit in half of the limit, and as the reader.
  std::shared_ptr<const LogSample> log(const std::string& path, std::uint64_t memoryLimitBytes,
                                       const Watch& watch);
  // The model of a file; those used longest ago go while all together exceed half of the limit. Throws 'scene-too-large',
  // 'io', 'bad-input', 'cancelled'.
  std::shared_ptr<HeldModel> model(const std::string& path, std::uint64_t memoryLimitBytes,
                                   const Watch& watch);

 private:
  // A file as it was when it was read.
  struct FileState {
    std::string path;
    std::uint64_t bytes = 0;
    std::filesystem::file_time_type modified;

    friend bool operator==(const FileState&, const FileState&) = default;
  };
  struct KnownModel {
    FileState file;
    std::shared_ptr<HeldModel> held;
  };

  static FileState stateOf(const std::string& path);

  FileState logFile_;
  std::size_t maxLogBeams_ = 0;
  std::shared_ptr<const LogSample> log_;
  std::list<KnownModel> models_;  // the one used last first
};

}  // namespace understory
