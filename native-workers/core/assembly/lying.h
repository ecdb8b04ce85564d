// Instances that lie on the ground as a whole, whatever its slope.
#pragma once

#include "core/scene/scene.h"

namespace understory {

// Turns an instance as the plane through the ground below the corners of its bounds (by least squares), raises it until it
// is above the ground at these corners and at its middle, and enlarges it by the root of one over the cosine of the slope:
// the areas of its parts from above are then as on level ground. Its z is a height above the ground before.
void layOnGround(const Boundsf& boundsM, const GroundHeight& groundHeightM, Instance& instance);

}  // namespace understory
