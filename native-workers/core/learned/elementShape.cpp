// Covariances to whitening matrices, in double precision.
#include "core/learned/elementShape.h"

#include <cmath>

namespace understory {

// W is the inverse of Cholesky's factor.
ElementShape elementShape(Vec3f meanM, const Symmetric3f& covarianceM2, float permeability,
                          double limit) {
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
          permeability,
          static_cast<float>(limit * limit)};
}

// By invariants of the covariance, so that no axis is computed. All variances are above v exactly where the covariance
// less v in its diagonal is positive definite (Sylvester). Where the least is far below the others, the sum of principal
// minors of order two over the square of the trace is q/(1 + q)² for the ratio q of the two others.
bool isFlatElement(const Symmetric3f& covarianceM2) {
  constexpr double flatShare = 0.02;
  constexpr double minRatio = 0.1;
  constexpr double minMinors = minRatio / ((1.0 + minRatio) * (1.0 + minRatio));
  const auto at = [&](std::size_t index) { return static_cast<double>(covarianceM2[index]); };
  const double trace = at(0) + at(3) + at(5);
  const double minors =
      at(0) * at(3) - at(1) * at(1) + at(0) * at(5) - at(2) * at(2) + at(3) * at(5) - at(4) * at(4);
  const double least = flatShare * trace;
  const double xx = at(0) - least;
  const double yy = at(3) - least;
  const double zz = at(5) - least;
  const double minor = xx * yy - at(1) * at(1);
  const double determinant = xx * (yy * zz - at(4) * at(4)) - at(1) * (at(1) * zz - at(4) * at(2)) +
                             at(2) * (at(1) * at(4) - yy * at(2));
  const bool isThick = xx > 0.0 && minor > 0.0 && determinant > 0.0;
  return !isThick && minors > minMinors * trace * trace;
}

double elementLimit(const Symmetric3f& covarianceM2, CountingRule counting, double tau) {
  return counting == CountingRule::owner && isFlatElement(covarianceM2) ? flatLimit : tau;
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
