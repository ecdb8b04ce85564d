// Spot shapes as nine rays.
#include "core/sensor/stencil.h"

#include <cmath>

#include "core/maths/maths.h"
#include "core/mutation.h"

namespace understory {

std::array<StencilRay, raysPerPulse> makeStencil(const BeamRecipe& beam) {
  const double halfLeft = std::tan(0.5 * beam.divergenceHorizontalRad);
  const double halfUp = std::tan(0.5 * beam.divergenceVerticalRad);
  constexpr double weight = 1.0 / static_cast<double>(raysPerPulse);
  const double left = offCentreLeft(beam);
  std::array<StencilRay, raysPerPulse> rays{};
  rays[0] = {left, 0.0, weight};
  if (beam.shape == SpotShape::rectangular) {
    // Counter-clockwise from the left, as the ring below.
    constexpr std::array<std::array<int, 2>, 8> steps{
        {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};
    for (std::size_t ray = 0; ray < steps.size(); ++ray) {
      rays[ray + 1] = {left + steps[ray][0] * halfLeft / std::sqrt(2.0),
                       steps[ray][1] * halfUp / std::sqrt(2.0), weight};
    }
    return rays;
  }
  const double ring = beam.stencil == StencilKind::moment ? 0.75 : std::sqrt(2.0) / 4.0;
  for (std::size_t ray = 0; ray < 8; ++ray) {
    const double phaseRad = 0.25 * piRad * static_cast<double>(ray);
    rays[ray + 1] = {left + ring * halfLeft * std::cos(phaseRad),
                     ring * halfUp * std::sin(phaseRad), weight};
  }
  return rays;
}

double offCentreLeft(const BeamRecipe& beam) {
  const bool isOff = activeMutation() == Mutation::stencilOffCentre;
  return isOff ? 0.5 * std::tan(0.5 * beam.divergenceHorizontalRad) : 0.0;
}

}  // namespace understory
