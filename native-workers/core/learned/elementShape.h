// Elements as lines meet them: ellipsoids of a Mahalanobis radius, and points of a radius.
#pragma once

#include <array>

#include "core/learned/learnedModel.h"
#include "core/maths/maths.h"

namespace understory {

// A Gaussian in a form that lines are met with: its covariance is the inverse of W'W.
struct ElementShape {
  Vec3f meanM;
  std::array<float, 6> whitening{};  // W, lower triangular: row by row
  float permeability = 0.0F;
  float limitSquared = 0.0F;  // square of the Mahalanobis distance at which it ends
};

// `covarianceM2` is positive definite; `limit`: the Mahalanobis distance at which it ends.
ElementShape elementShape(Vec3f meanM, const Symmetric3f& covarianceM2, float permeability,
                          double limit);

// Whether an element is flat by its shape, whatever its size: its least variance is below 0.02 of the sum of all three,
// and it is no line: the two others are not too unequal (the middle one above a tenth of the greatest).
bool isFlatElement(const Symmetric3f& covarianceM2);

// Where flat elements end under the rule `owner`, whatever tau is. Why: elements of a wall lie side by side, and at a
// smaller limit beams would pass between them.
inline constexpr double flatLimit = 3.5;

// The Mahalanobis distance at which an element of a model ends, for counting, judging and scanning alike.
double elementLimit(const Symmetric3f& covarianceM2, CountingRule counting, double tau);
inline double elementLimit(const LearnedModel& model, std::size_t element) {
  return elementLimit(model.elements.covariancesM2[element], model.counting,
                      model.mahalanobisLimit);
}

// The box of an element that ends at the Mahalanobis distance `limit`.
Boundsf elementBounds(Vec3f meanM, const Symmetric3f& covarianceM2, double limit);

// A Gaussian on a line.
struct LineGaussian {
  float meanM = 0.0F;            // where the line is nearest to its centre, in Mahalanobis distance
  float sigmaM = 0.0F;           // standard deviation along the line
  float distanceSquared = 0.0F;  // the least Mahalanobis distance, squared
};

// Browning 2012, equations 12 and 13, in whitened coordinates: a unit of length there is a standard deviation. Why not
// by the quadratic form: 50 m away from an element of 5 mm its terms are 1e8, and their difference has no digits left.
// Lengths are in those of `direction`.
inline LineGaussian onLine(const ElementShape& shape, Vec3f originM, Vec3f direction) {
  const std::array<float, 6>& w = shape.whitening;
  const Vec3f to = shape.meanM - originM;
  const Vec3f u{w[0] * direction.x, w[1] * direction.x + w[2] * direction.y,
                w[3] * direction.x + w[4] * direction.y + w[5] * direction.z};
  const Vec3f v{w[0] * to.x, w[1] * to.x + w[2] * to.y, w[3] * to.x + w[4] * to.y + w[5] * to.z};
  const float perM2 = dot(u, u);
  const float meanM = dot(u, v) / perM2;
  const Vec3f off = v - u * meanM;
  return {meanM, 1.0F / std::sqrt(perM2), dot(off, off)};
}

}  // namespace understory
