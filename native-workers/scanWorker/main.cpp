// scanWorker: builds scenes and scans them, spoken to in frames over stdio.
//   scanWorker --version
//   scanWorker [--isa sse4.2|avx|avx2|avx512] [--threads N] [--cache DIR] [--nice N]
// --cache: where made meshes are kept; without it they are always made. --nice: yields to other processes.
// Ends quietly when its stdin does; exit code 0 then, 1 when the frames were broken, 2 for bad arguments.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <span>

#include "core/error.h"
#include "scanWorker/handlers.h"
#include "scanWorker/workerStart.h"

int main(int count, char** words) {
  using namespace understory;
  // Why: Ctrl+C and a closed terminal reach the whole process group, and it is the other side that ends this process.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGHUP, SIG_IGN);
  WorkerState state;
  try {
    const WorkerArguments arguments =
        parseWorkerArguments({words, static_cast<std::size_t>(count)});
    startWorker(arguments, state);
    if (arguments.isVersion) {
      std::cout << versionLine(state) << "\n";
      return 0;
    }
  } catch (const UnderstoryError& error) {
    logLine("error", error.what());
    return 2;
  }
  FrameWriter writer(moveStdoutAway());
  const ServerMethods methods = workerMethods(state);
  const bool isQuiet = serveCalls(STDIN_FILENO, writer, methods);
  // Why at once: a call may be under way on the working thread, and its caller is gone.
  std::_Exit(isQuiet ? 0 : 1);
}
