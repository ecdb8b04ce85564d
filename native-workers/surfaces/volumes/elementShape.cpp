// Covariances to whitening matrices, in double precision.
#include "surfaces/volumes/elementShape.h"

#include <cmath>

namespace understory {

// W is the inverse of Cholesky's factor.
ElementShape elementShape(Vec3f meanM, const Symmetric3f& covarianceM2, float permeability) {
  const auto at = [&](std::size_t index) { return static_cast<double>(covarianceM2[index]); };
  const double l00 = std::sqrt(at(0));
  const double l10 = at(1) / l00;
  const double l20 = at(2) / l00;
  const double l11 = std::sqrt(at(3) - l10 * l10);
  const double l21 = (at(4) - l20 * l10) / l11;
  const double l22 = std::sqrt(at(5) - l20 * l20 - l21 * l21);
  const double w10 = -l10 / (l00 * l11);
  const double w21 = -l21 / (l11 * l22);
  const double w20 = -(l20 / l00 + l21 * w10) / l22;
  return {meanM,
          {static_cast<float>(1.0 / l00), static_cast<float>(w10), static_cast<float>(1.0 / l11),
           static_cast<float>(w20), static_cast<float>(w21), static_cast<float>(1.0 / l22)},
          permeability};
}

Boundsf elementBounds(Vec3f meanM, const Symmetric3f& covarianceM2, double limit) {
  // Why a little more: a box is never smaller than what it bounds, by rounding.
  const auto reach = [&](std::size_t index) {
    return static_cast<float>(1.000001 * limit *
                              std::sqrt(static_cast<double>(covarianceM2[index])));
  };
  const Vec3f half{reach(0), reach(3), reach(5)};
  return {meanM - half, meanM + half};
}

}  // namespace understory
