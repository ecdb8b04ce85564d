// Elements that pass beams though nothing passes their middle: poles, trunks and boards are narrower than the ellipsoids of
// their returns, and what passes beside them makes them permeable. Found by the beams themselves; no such element is changed.
#pragma once

#include <cstddef>

#include "core/learned/learnedModel.h"
#include "learn/beamReach.h"
#include "learn/ellipsoids.h"

namespace understory {

struct OpaqueCores {
  std::size_t elements = 0;
  double meanPermeability = 0.0;  // of these elements, by the beams through their middles
};

// `ellipsoids`: of the elements, in order.
OpaqueCores opaqueCores(const Beams& beams, const LearnedElements& elements,
                        const Ellipsoids& ellipsoids, const BeamReach& reach, const Watch& watch);

}  // namespace understory
