// The nearest facets along many rays, in packets.
#pragma once

#include <cstddef>
#include <span>

#include "surfaces/embree/embreeScene.h"
#include "pulses/rayPath.h"

namespace understory {

// Rays [from, to) of `rays` into the same places of `hits`, as far as `maxRangeM`. Packets are cut from the
// whole of `rays`, as many as the instruction set takes at a time, so what a ray meets does not depend on
// `from` and `to`. Neighbours should be neighbours in space.
void findFirstHits(const EmbreeScene& scene, std::span<const PathRay> rays, std::size_t from,
                   std::size_t to, float maxRangeM, std::span<FacetHit> hits);

}  // namespace understory
