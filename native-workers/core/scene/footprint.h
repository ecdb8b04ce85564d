// The outline of what stops a vehicle: seen from above, of the parts of a model near the ground.
#pragma once

#include <cstdint>
#include <vector>

#include "core/scene/scene.h"

namespace understory {

// Heights between which an object stops a vehicle: below them wheels pass over it, above them the vehicle
// passes under. They count from z = 0 of the model, or from its lowest point where that lies deeper, as
// that of a box centred at the origin does.
inline constexpr float footprintFromM = 0.1F;
inline constexpr float footprintToM = 1.5F;

// Convex hull, counter-clockwise, without repeated or collinear points; empty for fewer than three
// corners (Andrew 1979, monotone chain).
std::vector<Vec2f> convexHull(std::vector<Vec2f> points);

// Hull of the triangles clipped to the slab from footprintFromM to footprintToM. `onlyMaterial` >= 0
// takes only triangles of that material: the wood of a tree.
std::vector<Vec2f> footprintOf(const Mesh& mesh, std::int32_t onlyMaterial);

}  // namespace understory
