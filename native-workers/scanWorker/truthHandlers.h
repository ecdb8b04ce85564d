// `truth.plants`, `truth.voxels`, `truth.gaps`: what is known of the plants of the built scene.
#pragma once

#include "jobs/tracedScene.h"
#include "protocol/rpc.h"

namespace understory {

// PlantTruthRequest of src-main/contract/worker/truth.ts -> PlantTruthReply, behind chunks of plantTruthColumns.
Message handlePlantTruth(const TracedScene& scene, const Frame& request, Call& call);

// VoxelTruthRequest -> its reply, behind chunks of voxelTruthColumns. Throws 'scene-too-large' before it takes memory.
Message handleVoxelTruth(const TracedScene& scene, const Frame& request, Call& call);

// GapTruthRequest -> its reply.
Message handleGapTruth(const TracedScene& scene, const Frame& request, Call& call);

}  // namespace understory
