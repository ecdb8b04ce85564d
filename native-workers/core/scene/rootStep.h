// A step in a trail that tree roots hold (Goodin 2018, figure 11; theirs was measured by photogrammetry): a soil surface
// from a lower to a higher level whose face overhangs a little, and roots that run over and along it. A function of its
// parameters and its seed; as many triangles as are asked for.
#pragma once

#include <cstdint>

#include "contract/modelRecipe.h"
#include "core/scene/meshBuilder.h"
#include "core/watch.h"

namespace understory {

// A little less or more than are asked for.
std::uint64_t trianglesOf(const RootStepSource& shape);

// The lower level is z = 0, the step faces -x, its foot is about x = 0. At its sides it becomes a ramp from x = 0 to its
// end; along all edges the surface lies up to 3 cm lower, so that a ground of this shape covers it there. Phase 'growing' of `watch` in rows of vertices. Throws
// 'cancelled'.
MeshBuilder makeRootStep(const RootStepSource& shape, const Watch& watch);

}  // namespace understory
