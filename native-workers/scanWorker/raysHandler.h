// `scan.rays`: request and trajectory in, chunks of rays and their hits out.
#pragma once

#include "jobs/tracedScene.h"
#include "protocol/rpc.h"
#include "scanWorker/testSwitches.h"

namespace understory {

// RayRequest -> RayReply of src-main/contract/worker/worker.ts.
Message handleRays(const TracedScene& scene, const Frame& request, Call& call,
                   TestSwitches& testSwitches);

}  // namespace understory
