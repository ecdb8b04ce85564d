// `bench.raw` and `bench.native`: Embree alone, and the whole native pipeline, on the rays of a scan.
#pragma once

#include "jobs/tracedScene.h"
#include "protocol/rpc.h"

namespace understory {

// BenchRawRequest -> BenchRawReply of src-main/contract/worker/workerBench.ts.
Message handleBenchRaw(const TracedScene& scene, const Frame& request, Call& call);

// ScanRequest -> BenchNativeReply.
Message handleBenchNative(const TracedScene& scene, const Frame& request, Call& call);

}  // namespace understory
