// `scene.mesh`: a model of the built scene, as it is or at a level of detail.
#pragma once

#include <cstddef>
#include <memory>

#include "core/detail/meshParts.h"
#include "jobs/tracedScene.h"
#include "protocol/rpc.h"

namespace understory {

// The parts of the model that was asked for last: its levels are asked for one after another.
struct LastParts {
  std::size_t model = 0;
  std::unique_ptr<const MeshParts> parts;  // null: none yet; they view the scene's triangles
};

// MeshRequest -> MeshReply with the columns position f32, index u32, material u16. `last` must be emptied
// before the scene goes.
Message handleSceneMesh(const TracedScene& scene, const Frame& request, Call& call,
                        LastParts& last);

}  // namespace understory
