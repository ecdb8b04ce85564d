// `bench.raw` and `bench.native`: Embree alone, and the whole native pipeline, on the rays of a scan.
#pragma once

#include "protocol/rpc.h"
#include "surfaces/embree/embreeScene.h"

namespace understory {

// BenchRawRequest -> BenchRawReply of src-main/contract/worker/workerBench.ts.
Message handleBenchRaw(const EmbreeScene& scene, const Frame& request, Call& call);

// ScanRequest -> BenchNativeReply.
Message handleBenchNative(const EmbreeScene& scene, const Frame& request, Call& call);

}  // namespace understory
