// The start of a worker's process: arguments, device, mesh cache, stdout for frames alone.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "scanWorker/handlers.h"

namespace understory {

struct WorkerArguments {
  bool isVersion = false;
  std::string isa;          // empty: the best of the processor
  std::size_t threads = 0;  // 0: one for each core
  std::string cacheFolder;  // empty: none
  int niceness = 0;         // added to that of the process
};

// `words`: those of main. Throws UnderstoryError 'bad-input'.
WorkerArguments parseWorkerArguments(std::span<char*> words);

// Priority, device, mesh store and test switches. Throws UnderstoryError 'bad-input', 'unsupported'.
void startWorker(const WorkerArguments& arguments, WorkerState& state);

// "scanWorker 0.1.0 embree 3.13.5 isa avx2"
std::string versionLine(const WorkerState& state);

// Returns a descriptor of the old stdout for frames alone; other output to stdout goes to stderr from now on. Signals that
// would end a worker that its host still needs are ignored.
int moveStdoutAway();

}  // namespace understory
