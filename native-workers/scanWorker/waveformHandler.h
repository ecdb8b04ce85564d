// `scan.waveforms`: request and trajectory in, chunks of sampled waveforms out.
#pragma once

#include "jobs/tracedScene.h"
#include "protocol/rpc.h"
#include "scanWorker/testSwitches.h"

namespace understory {

// WaveformRequest -> WaveformReply of src-main/contract/worker/worker.ts.
Message handleWaveforms(const TracedScene& scene, const Frame& request, Call& call,
                        TestSwitches& testSwitches);

}  // namespace understory
