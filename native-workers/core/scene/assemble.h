// Turns a scene recipe into the scene that is traced: makes every model, places every instance and
// scatter on the ground, and identifies the result by its hash. No Embree; reads files only for meshes.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "core/scene/scene.h"

namespace understory {

struct AssembleOptions {
  // Called from the calling thread: 'models' or 'scatters', how many are done, and of how many.
  std::function<void(const std::string& phase, std::size_t done, std::size_t total)> onProgress;
  // Set from another thread to stop; assembleScene then throws 'cancelled'.
  const std::atomic<bool>* isCancelled = nullptr;
  // Most bytes the built scene may take, Embree's trees included, by the estimate of memoryEstimate.h.
  std::uint64_t memoryLimitBytes = std::numeric_limits<std::uint64_t>::max();
};

// `recipe`: SceneRecipe of src-main/contract/recipe.ts; `heightsM`: column `heights` of the call, empty
// without a height field. The same recipe gives the same scene, whatever the machine's threads.
// Throws 'bad-input', 'not-found' or 'io' (mesh files), 'cancelled', and 'scene-too-large' with
// details { neededBytes, limitBytes, uniqueTriangles, instances } before anything large is allocated.
Scene assembleScene(const nlohmann::json& recipe, std::span<const float> heightsM,
                    const AssembleOptions& options);

}  // namespace understory
