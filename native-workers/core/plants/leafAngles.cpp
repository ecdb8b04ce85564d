// Closed forms of the laws, and their inverses by bisection.
#include "core/plants/leafAngles.h"

#include <algorithm>
#include <cmath>

#include "core/maths/maths.h"

namespace understory {

double leafAngleShare(LeafAngleLaw law, double angleRad) {
  const double t = angleRad;
  switch (law) {
    case LeafAngleLaw::spherical:
      return 1.0 - std::cos(t);
    case LeafAngleLaw::planophile:
      return (2.0 * t + std::sin(2.0 * t)) / piRad;
    case LeafAngleLaw::erectophile:
      return (2.0 * t - std::sin(2.0 * t)) / piRad;
    case LeafAngleLaw::plagiophile:
      return (2.0 * t - 0.5 * std::sin(4.0 * t)) / piRad;
    case LeafAngleLaw::uniform:
      return 2.0 * t / piRad;
  }
  return 0.0;
}

double leafAngleAt(LeafAngleLaw law, double share) {
  // Why bisection: the densities of three laws are zero somewhere, where steps of Newton's leave the interval.
  double low = 0.0;
  double high = 0.5 * piRad;
  constexpr int halvings = 50;  // to 1e-15
  for (int n = 0; n < halvings; ++n) {
    const double middle = 0.5 * (low + high);
    (leafAngleShare(law, middle) < share ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace understory
