// Plants of the tiles of landscapes, and where each landscape ends.
#pragma once

#include "contract/sceneRecipe.h"
#include "core/scene/scene.h"
#include "core/watch.h"

namespace understory {

// Numbers their plants after the scene's instances, which are complete; `scene` has its models and its ground. Throws
// 'bad-input' for more plants than numbers; 'unsupported' for
// plants that are no triangles or sway; 'cancelled'.
void addLandscapes(const SceneRecipe& recipe, Scene& scene, const Watch& watch);

}  // namespace understory
