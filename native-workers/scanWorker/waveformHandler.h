// `scan.waveforms`: request and trajectory in, chunks of sampled waveforms out.
#pragma once

#include "protocol/rpc.h"
#include "scanWorker/testSwitches.h"
#include "surfaces/embree/embreeScene.h"

namespace understory {

// WaveformRequest -> WaveformReply of src-main/contract/worker/worker.ts.
Message handleWaveforms(const EmbreeScene& scene, const Frame& request, Call& call,
                        TestSwitches& testSwitches);

}  // namespace understory
