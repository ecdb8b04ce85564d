// `scan.signal`: request and trajectory in, one pulse's signal out.
#pragma once

#include "jobs/tracedScene.h"
#include "protocol/rpc.h"

namespace understory {

// SignalRequest -> SignalReply of src-main/contract/worker/pulseSignal.ts.
Message handleSignal(const TracedScene& scene, const Frame& request, Call& call);

}  // namespace understory
