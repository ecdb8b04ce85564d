// `scene.ground`: what the surfaces of learned models are to a vehicle.
#pragma once

#include "jobs/tracedScene.h"
#include "protocol/rpc.h"

namespace understory {

// -> GroundReply of src-main/contract/worker/learnedGround.ts, with the columns of groundColumns.
Message handleSceneGround(const TracedScene& scene, Call& call);

}  // namespace understory
