// The nine rays of a pulse (Goodin 2018, section 3.2.1; PHYSICS.md, 1.1): centre and eight more, with equal weights, as
// offsets on the plane 1 m ahead. Guarantees: weights sum to 1, the centroid is the pulse's axis.
#pragma once

#include <array>
#include <cstddef>

#include "contract/sensorRecipe.h"

namespace understory {

inline constexpr std::size_t raysPerPulse = 9;

struct StencilRay {
  double left = 0.0;  // offset at 1 m, towards the left of the axis
  double up = 0.0;
  double weight = 0.0;
};

// Ray 0 is the axis. `moment`: the ring lies at 3/4 of the spot's half axes, so that its second moment
// is that of a uniformly lit disc (8/9 r^2 = R^2/2); `goodin2018`: at sqrt(2)/4 of them, as printed.
// Rectangular: a 3 x 3 grid at 1/sqrt(2) of the half axes, the variance of a uniform rectangle
// (2/3 a^2 = h^2/3), the same in both.
std::array<StencilRay, raysPerPulse> makeStencil(const BeamRecipe& beam);

// How far to the left of the axis the middle of a beam lies, at 1 m: 0, but with Mutation::stencilOffCentre.
double offCentreLeft(const BeamRecipe& beam);

}  // namespace understory
