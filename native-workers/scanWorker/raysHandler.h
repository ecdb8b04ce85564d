// `scan.rays`: request and trajectory in, chunks of rays and their hits out.
#pragma once

#include "protocol/rpc.h"
#include "scanWorker/testSwitches.h"
#include "surfaces/embree/embreeScene.h"

namespace understory {

// RayRequest -> RayReply of src-main/contract/worker/worker.ts.
Message handleRays(const EmbreeScene& scene, const Frame& request, Call& call,
                   TestSwitches& testSwitches);

}  // namespace understory
