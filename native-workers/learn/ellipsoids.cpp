// Elements and their boxes.
#include "learn/ellipsoids.h"

#include <algorithm>
#include <cmath>

#include "core/learned/elementShape.h"

namespace understory {
namespace {

Boundsf boxAround(Vec3d middleM, Vec3d halfM) {
  return {toFloat(middleM - halfM), toFloat(middleM + halfM)};
}

}  // namespace

Ellipsoids::Ellipsoids(const std::vector<Gaussian>& gaussians, double radius,
                       CountingRule counting) {
  elements_.reserve(gaussians.size());
  sigmasM_.reserve(gaussians.size());
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
    sigmasM_.push_back({std::sqrt(gaussian.covarianceM2[0]), std::sqrt(gaussian.covarianceM2[3]),
                        std::sqrt(gaussian.covarianceM2[5])});
    boxes.push_back(boxAround(gaussian.meanM, sigmasM_.back() * limit));
  }
  tree_ = BoxTree(boxes);
}

BoxTree Ellipsoids::treeWithin(double deviations, double minSigmaM, const Watch& watch) const {
  std::vector<Boundsf> boxes;
  boxes.reserve(elements_.size());
  const double least = deviations * minSigmaM;
  for (std::size_t element = 0; element < elements_.size(); ++element) {
    const double radius2 = elements_[element].radius2;
    // The squares of both distances add up: to the line's nearest point, and from there along it.
    const Vec3d wide = sigmasM_[element] * std::sqrt(radius2 + deviations * deviations);
    const Vec3d narrow = sigmasM_[element] * std::sqrt(radius2) + Vec3d{least, least, least};
    boxes.push_back(boxAround(
        elements_[element].meanM,
        {std::max(wide.x, narrow.x), std::max(wide.y, narrow.y), std::max(wide.z, narrow.z)}));
  }
  return BoxTree(boxes, watch);
}

}  // namespace understory
