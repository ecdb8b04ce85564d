// Turns a scene recipe into the scene that is traced: makes every model, places every instance and
// scatter on the ground, and identifies the result by its hash. No Embree; reads files only for meshes.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "core/assembly/meshStore.h"
#include "core/scene/scene.h"
#include "core/watch.h"

namespace understory {

struct AssembleOptions {
  // Told from the calling thread: 'models' in models; within one of them 'reading' in bytes, 'vertices',
  // 'triangles' and 'growing'; 'scatters' in copies. Cancelled, assembleScene throws 'cancelled'.
  Watch watch;
  // Where models that take long are kept; null: nowhere.
  const MeshStore* meshStore = nullptr;
  // Most bytes the built scene may take, Embree's trees included, by the estimate of memoryEstimate.h.
  std::uint64_t memoryLimitBytes = std::numeric_limits<std::uint64_t>::max();
};

// `recipe`: SceneRecipe of src-main/contract/worker/recipe.ts; `heightsM`: column `heights` of the call, empty
// without a height field. The same recipe gives the same scene, whatever the machine's threads.
// Throws 'bad-input', 'not-found' or 'io' (mesh files), 'cancelled', and 'scene-too-large' with
// details { neededBytes, limitBytes, uniqueTriangles, instances } before anything large is allocated.
Scene assembleScene(const nlohmann::json& recipe, std::span<const float> heightsM,
                    const AssembleOptions& options);

}  // namespace understory
