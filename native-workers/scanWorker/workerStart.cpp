// Arguments and surroundings of the process.
#include "scanWorker/workerStart.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "core/error.h"
#include "scanWorker/meshFolder.h"

namespace understory {

WorkerArguments parseWorkerArguments(std::span<char*> words) {
  WorkerArguments arguments;
  for (std::size_t word = 1; word < words.size(); ++word) {
    const std::string name = words[word];
    if (name == "--version") {
      arguments.isVersion = true;
      continue;
    }
    const bool isKnown = name == "--isa" || name == "--threads" || name == "--cache";
    if (!isKnown || word + 1 == words.size()) {
      throw UnderstoryError(ErrorCode::badInput, "cannot make sense of '" + name + "'");
    }
    const std::string value = words[++word];
    if (name == "--isa") {
      arguments.isa = value;
    } else if (name == "--cache") {
      arguments.cacheFolder = value;
    } else {
      const bool isCount = !value.empty() && value.size() <= 4 &&
                           value.find_first_not_of("0123456789") == std::string::npos;
      arguments.threads = isCount ? std::stoul(value) : 0;
      if (arguments.threads < 1 || arguments.threads > 1024) {
        throw UnderstoryError(ErrorCode::badInput, "--threads: expected 1 to 1024");
      }
    }
  }
  return arguments;
}

void startWorker(const WorkerArguments& arguments, WorkerState& state) {
  const std::string isa = arguments.isa.empty() ? bestIsa() : arguments.isa;
  const std::size_t threads = arguments.threads == 0
                                  ? std::max(1U, std::thread::hardware_concurrency())
                                  : arguments.threads;
  state.device = std::make_shared<const EmbreeDevice>(isa, threads);
  if (!arguments.cacheFolder.empty()) {
    state.meshStore = std::make_unique<const MeshStore>(
        meshFolder(arguments.cacheFolder, meshFolderBytes,
                   [](const std::string& failure) { logLine("warn", failure); }));
  }
  if (const char* switches = std::getenv("UNDERSTORY_TEST")) state.testSwitches.read(switches);
}

std::string versionLine(const WorkerState& state) {
  return "scanWorker " + workerVersion() + " embree " + state.device->embreeVersion() + " isa " +
         state.device->isa();
}

int moveStdoutAway() {
  const int frames = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  std::signal(SIGPIPE, SIG_IGN);
  // A file over the limit on sizes is a failed write (EFBIG), as any other.
  std::signal(SIGXFSZ, SIG_IGN);
  // The terminal's Ctrl+C reaches every process; the host decides what becomes of the call under way.
  std::signal(SIGINT, SIG_IGN);
  return frames;
}

}  // namespace understory
