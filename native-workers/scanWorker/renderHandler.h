// `render`: a ray-traced view of the scene.
#pragma once

#include "protocol/rpc.h"
#include "surfaces/embree/embreeScene.h"

namespace understory {

// RenderRequest of src-main/contract/worker/worker.ts -> {} with column rgb u8.
Message handleRender(const EmbreeScene& scene, const Frame& request, Call& call);

}  // namespace understory
