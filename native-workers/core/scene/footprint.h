// The outline of what stops a vehicle: seen from above, of the parts of a model near the ground.
#pragma once

#include <cstdint>
#include <vector>

#include "core/scene/scene.h"

namespace understory {

// Heights, in the model's frame, between which a thing stops a vehicle: below it wheels pass over, above
// it the vehicle passes under.
inline constexpr float footprintFromM = 0.1F;
inline constexpr float footprintToM = 1.5F;

// Convex hull, counter-clockwise, without repeated or collinear points; empty for fewer than three
// corners (Andrew 1979, monotone chain).
std::vector<Vec2f> convexHull(std::vector<Vec2f> points);

// Hull of the triangles clipped to the slab footprintFromM <= z <= footprintToM. `onlyMaterial` >= 0
// takes only triangles of that material: the wood of a tree.
std::vector<Vec2f> footprintOf(const Mesh& mesh, std::int32_t onlyMaterial);

}  // namespace understory
