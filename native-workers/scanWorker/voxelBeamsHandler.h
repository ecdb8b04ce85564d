// `log.voxels`: beams of logs through a grid of voxels, as sums.
#pragma once

#include "protocol/rpc.h"

namespace understory {

// BeamVoxelsRequest -> chunks of src-main/contract/worker/beamVoxels.ts, and their end.
Message handleVoxelBeams(const Frame& request, Call& call);

}  // namespace understory
