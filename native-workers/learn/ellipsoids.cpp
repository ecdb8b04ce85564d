// Elements and their boxes.
#include "learn/ellipsoids.h"

namespace understory {

Ellipsoids::Ellipsoids(const std::vector<Gaussian>& gaussians, double radius,
                       double surfaceSigmaM) {
  elements_.reserve(gaussians.size());
  std::vector<Boundsf> boxes;
  boxes.reserve(gaussians.size());
  const double flatVariance = 4.0 * surfaceSigmaM * surfaceSigmaM;
  for (const Gaussian& gaussian : gaussians) {
    Ellipsoid element;
    element.meanM = gaussian.meanM;
    element.inverse = gaussian.inverse;
    element.isFlat = gaussian.variancesM2[0] <= flatVariance;
    element.radius2 = radius * radius;
    elements_.push_back(element);
    const Vec3d half{radius * std::sqrt(gaussian.covarianceM2[0]),
                     radius * std::sqrt(gaussian.covarianceM2[3]),
                     radius * std::sqrt(gaussian.covarianceM2[5])};
    boxes.push_back({toFloat(gaussian.meanM - half), toFloat(gaussian.meanM + half)});
  }
  tree_ = BoxTree(boxes);
}

}  // namespace understory
