// `log.voxels`: beams of logs through a grid of voxels, as sums.
#pragma once

#include "protocol/rpc.h"

namespace understory {

// VoxelBeamsRequest -> chunks of src-main/contract/worker/voxelBeams.ts, then the reply.
Message handleVoxelBeams(const Frame& request, Call& call);

}  // namespace understory
