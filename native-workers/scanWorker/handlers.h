// The methods of the worker (src-main/contract/worker/worker.ts): JSON in, jobs, JSON and columns out.
#pragma once

#include <memory>
#include <string>

#include "core/assembly/meshStore.h"
#include "jobs/otherRanks.h"
#include "jobs/tracedScene.h"
#include "mapping/driveMapper.h"
#include "protocol/rpc.h"
#include "scanWorker/meshHandler.h"
#include "scanWorker/storedFrames.h"
#include "scanWorker/testSwitches.h"
#include "scanWorker/viewCache.h"

namespace understory {

// State of a worker process: a device, and at most one built scene.
struct WorkerState {
  std::shared_ptr<const EmbreeDevice> device;
  // Touched by working threads only, by one at a time but for `scene`, which scans share.
  std::unique_ptr<const TracedScene> scene;
  LastParts lastParts;                         // of `scene`, and with it
  std::unique_ptr<const MeshStore> meshStore;  // null: meshes are always made
  ViewCache views;
  TestSwitches testSwitches;
  DriveMapper mapper;           // scans wait for earlier ones
  StoredFrames frames;          // of the scene; for any thread
  OtherRanks* ranks = nullptr;  // null: this process traces alone
};

// "0.1.0"
std::string workerVersion();

// All methods of worker.ts. `state` must outlive the serving.
ServerMethods workerMethods(WorkerState& state);

// One JSON line on stderr.
void logLine(const std::string& level, const std::string& message);

}  // namespace understory
