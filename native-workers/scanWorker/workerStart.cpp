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

namespace {

// A whole number of at most four digits. Throws UnderstoryError 'bad-input' outside of [least, most].
std::size_t countOf(const std::string& name, const std::string& value, std::size_t least,
                    std::size_t most) {
  const bool isCount = !value.empty() && value.size() <= 4 &&
                       value.find_first_not_of("0123456789") == std::string::npos;
  const std::size_t count = isCount ? std::stoul(value) : most + 1;
  if (count >= least && count <= most) return count;
  throw UnderstoryError(ErrorCode::badInput, name + ": expected " + std::to_string(least) + " to " +
                                                 std::to_string(most));
}

}  // namespace

WorkerArguments parseWorkerArguments(std::span<char*> words) {
  WorkerArguments arguments;
  for (std::size_t word = 1; word < words.size(); ++word) {
    const std::string name = words[word];
    if (name == "--version") {
      arguments.isVersion = true;
      continue;
    }
    const bool isKnown =
        name == "--isa" || name == "--threads" || name == "--cache" || name == "--nice";
    if (!isKnown || word + 1 == words.size()) {
      throw UnderstoryError(ErrorCode::badInput, "cannot make sense of '" + name + "'");
    }
    const std::string value = words[++word];
    if (name == "--isa") {
      arguments.isa = value;
    } else if (name == "--cache") {
      arguments.cacheFolder = value;
    } else if (name == "--nice") {
      arguments.niceness = static_cast<int>(countOf(name, value, 0, 19));
    } else {
      arguments.threads = countOf(name, value, 1, 1024);
    }
  }
  return arguments;
}

void startWorker(const WorkerArguments& arguments, WorkerState& state) {
  // Before the first thread, since threads inherit it. Lower priorities are never refused.
  if (arguments.niceness > 0) (void)nice(arguments.niceness);
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
