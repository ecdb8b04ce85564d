// The methods of the worker (src-main/contract/worker/worker.ts): JSON in, jobs, JSON and columns out.
#pragma once

#include <memory>
#include <string>

#include "core/assembly/meshStore.h"
#include "jobs/otherRanks.h"
#include "jobs/tracedScene.h"
#include "mapping/driveMapper.h"
#include "protocol/rpc.h"
#include "scanWorker/keptFrames.h"
#include "scanWorker/meshHandler.h"
#include "scanWorker/testSwitches.h"
#include "scanWorker/viewCache.h"

namespace understory {

// State of a worker process: a device, and at most one built scene.
struct WorkerState {
  std::shared_ptr<const EmbreeDevice> device;
  std::unique_ptr<const TracedScene> scene;    // touched by the working thread only
  LastParts lastParts;                         // of `scene`, and with it
  std::unique_ptr<const MeshStore> meshStore;  // null: meshes are always made
  ViewCache views;                             // touched by the working thread only
  TestSwitches testSwitches;
  DriveMapper mapper;           // touched by the working thread only
  KeptFrames frames;            // of the scene
  OtherRanks* ranks = nullptr;  // null: this process traces alone
};

// "0.1.0"
std::string workerVersion();

// All methods of worker.ts. `state` must outlive the serving.
ServerMethods workerMethods(WorkerState& state);

// One JSON line on stderr.
void logLine(const std::string& level, const std::string& message);

}  // namespace understory
