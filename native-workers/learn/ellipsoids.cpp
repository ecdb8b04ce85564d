// Elements and their boxes.
#include "learn/ellipsoids.h"

#include "core/learned/elementShape.h"

namespace understory {

Ellipsoids::Ellipsoids(const std::vector<Gaussian>& gaussians, double radius,
                       CountingRule counting) {
  elements_.reserve(gaussians.size());
  std::vector<Boundsf> boxes;
  boxes.reserve(gaussians.size());
  for (const Gaussian& gaussian : gaussians) {
    Ellipsoid element;
    element.meanM = gaussian.meanM;
    element.inverse = gaussian.inverse;
    const Symmetric3f covarianceM2 = singleOf(gaussian.covarianceM2);
    element.isFlat = isFlatElement(covarianceM2);
    const double limit = elementLimit(covarianceM2, counting, radius);
    element.radius2 = limit * limit;
    elements_.push_back(element);
    const Vec3d half{limit * std::sqrt(gaussian.covarianceM2[0]),
                     limit * std::sqrt(gaussian.covarianceM2[3]),
                     limit * std::sqrt(gaussian.covarianceM2[5])};
    boxes.push_back({toFloat(gaussian.meanM - half), toFloat(gaussian.meanM + half)});
  }
  tree_ = BoxTree(boxes);
}

}  // namespace understory
