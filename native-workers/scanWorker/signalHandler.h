// `scan.signal`: request and trajectory in, one pulse's signal out.
#pragma once

#include "protocol/rpc.h"
#include "surfaces/embree/embreeScene.h"

namespace understory {

// SignalRequest -> SignalReply of src-main/contract/worker/pulseSignal.ts.
Message handleSignal(const EmbreeScene& scene, const Frame& request, Call& call);

}  // namespace understory
