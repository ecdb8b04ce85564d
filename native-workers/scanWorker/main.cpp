// scanWorker: builds scenes and scans them, spoken to in frames over stdio.
//   scanWorker --version
//   scanWorker [--isa sse4.2|avx|avx2|avx512] [--threads N] [--cache DIR]
// --cache: where made meshes are kept; without it they are always made.
// Ends quietly when its stdin does; exit code 0 then, 1 when the frames were broken, 2 for bad arguments.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <span>
#include <thread>

#include "core/error.h"
#include "scanWorker/handlers.h"
#include "scanWorker/meshFolder.h"

namespace {

struct Arguments {
  bool isVersion = false;
  std::string isa;
  std::size_t threads = 0;
  std::string cacheFolder;
};

Arguments parseArguments(std::span<char*> words) {
  Arguments arguments;
  for (std::size_t word = 1; word < words.size(); ++word) {
    const std::string name = words[word];
    if (name == "--version") {
      arguments.isVersion = true;
      continue;
    }
    const bool isKnown = name == "--isa" || name == "--threads" || name == "--cache";
    if (!isKnown || word + 1 == words.size()) {
      throw understory::UnderstoryError(understory::ErrorCode::badInput,
                                        "cannot make sense of '" + name + "'");
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
        throw understory::UnderstoryError(understory::ErrorCode::badInput,
                                          "--threads: expected 1 to 1024");
      }
    }
  }
  return arguments;
}

// Frames keep the old fd 1 to themselves; whatever prints to stdout from now on ends up on stderr.
int moveStdoutAway() {
  const int frames = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return frames;
}

}  // namespace

int main(int count, char** words) {
  using namespace understory;
  WorkerState state;
  try {
    Arguments arguments = parseArguments({words, static_cast<std::size_t>(count)});
    if (arguments.isa.empty()) arguments.isa = bestIsa();
    if (arguments.threads == 0)
      arguments.threads = std::max(1U, std::thread::hardware_concurrency());
    state.device = std::make_shared<const EmbreeDevice>(arguments.isa, arguments.threads);
    if (arguments.isVersion) {
      std::cout << "scanWorker " << workerVersion() << " embree " << state.device->embreeVersion()
                << " isa " << state.device->isa() << "\n";
      return 0;
    }
    if (!arguments.cacheFolder.empty()) {
      state.meshStore = std::make_unique<const MeshStore>(
          meshFolder(arguments.cacheFolder, meshFolderBytes,
                     [](const std::string& failure) { logLine("warn", failure); }));
    }
    if (const char* switches = std::getenv("UNDERSTORY_TEST")) {
      state.testSwitches.read(switches);
    }
  } catch (const UnderstoryError& error) {
    logLine("error", error.what());
    return 2;
  }
  const int frames = moveStdoutAway();
  std::signal(SIGPIPE, SIG_IGN);
  // A file over the limit on sizes is a failed write (EFBIG), as any other.
  std::signal(SIGXFSZ, SIG_IGN);
  // The terminal's Ctrl+C reaches every process; the host decides what becomes of the call under way.
  std::signal(SIGINT, SIG_IGN);
  FrameWriter writer(frames);
  const ServerMethods methods = workerMethods(state);
  const bool isQuiet = serveCalls(STDIN_FILENO, writer, methods);
  // Why at once: a call may be under way on the working thread, and its caller is gone.
  std::_Exit(isQuiet ? 0 : 1);
}
