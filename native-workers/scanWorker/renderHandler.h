// `render`: a ray-traced view of the scene.
#pragma once

#include "jobs/tracedScene.h"
#include "protocol/rpc.h"

namespace understory {

// RenderRequest of src-main/contract/worker/worker.ts -> {} with column rgb u8.
Message handleRender(const TracedScene& scene, const Frame& request, Call& call);

}  // namespace understory
