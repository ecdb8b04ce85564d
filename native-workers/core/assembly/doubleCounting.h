// Plants that a scene has twice: as learned elements, and as triangles in the same place (PHYSICS.md, 2.6).
#pragma once

#include "contract/sceneRecipe.h"
#include "core/scene/scene.h"
#include "core/watch.h"

namespace understory {

// Throws 'bad-input' where more than a tenth of the elements of a learned model lie in cells of 0.2 m that triangles of a
// plant occupy, too; 'cancelled'. `scene` is assembled, models as in the recipe.
void refuseDoubleCounting(const SceneRecipe& recipe, const Scene& scene, const Watch& watch);

}  // namespace understory
