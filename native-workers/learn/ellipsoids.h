// Ellipsoids of volume elements and the lines that pierce them (Browning 2012, eq. 2, 6, 12 and 13). The one rule of
// what a line pierces, for learning and for judging.
#pragma once

#include <optional>
#include <vector>

#include "learn/boxTree.h"
#include "learn/gaussians.h"

namespace understory {

struct Ellipsoid {
  Vec3d meanM;
  Symmetric3 inverse{};
  double radius2 = 0.0;  // square of the Mahalanobis radius of its border
  bool isFlat = false;   // isFlatElement()
};

// Where a line is nearest to an element's mean, in its measure: the mean of the range it returns, and the deviation.
struct Crossing {
  double rangeM = 0.0;
  double sigmaM = 0.0;
  double distance2 = 0.0;  // square of the least Mahalanobis distance
};

inline Crossing crossingOf(const Ellipsoid& element, Vec3d originM, Vec3d direction) {
  const Vec3d toMean = element.meanM - originM;
  const double along = between(element.inverse, direction, direction);
  const double rangeM = between(element.inverse, direction, toMean) / along;
  // Why from the nearest point: the difference of two large squares would lose its digits far away.
  const Vec3d offset = direction * rangeM - toMean;
  return {rangeM, 1.0 / std::sqrt(along), between(element.inverse, offset, offset)};
}

inline bool isPierced(const Ellipsoid& element, const Crossing& crossing, double maxM) {
  return crossing.rangeM > 0.0 && crossing.rangeM <= maxM && crossing.distance2 < element.radius2;
}

inline bool holds(const Ellipsoid& element, Vec3d pointM) {
  const Vec3d offset = pointM - element.meanM;
  return between(element.inverse, offset, offset) < element.radius2;
}

// Elements with their tree.
class Ellipsoids {
 public:
  Ellipsoids() = default;
  // `radius`: the Mahalanobis radius τ; elementLimit() says which elements have another.
  Ellipsoids(const std::vector<Gaussian>& gaussians, double radius, CountingRule counting);

  const std::vector<Ellipsoid>& elements() const { return elements_; }
  // Root mean square distance of the points of an element from its mean.
  double widthM(std::size_t element) const { return length(sigmasM_[element]); }

  // Calls visit(element, crossing) for each element that a line pierces up to `maxM`, in no useful order.
  template <typename Visit>
  void alongLine(Vec3f originM, Vec3f direction, double maxM, Visit&& visit) const {
    betweenRanges(originM, direction, 0.0, maxM, visit);
  }
  // The same, of elements whose mean range is from `minM` on.
  template <typename Visit>
  void betweenRanges(Vec3f originM, Vec3f direction, double minM, double maxM,
                     Visit&& visit) const {
    const Vec3d from = toDouble(originM);
    const Vec3d along = toDouble(direction);
    tree_.betweenRanges(originM, direction, static_cast<float>(minM) * 0.999999F,
                        static_cast<float>(maxM) * 1.000001F, [&](std::uint32_t element) {
                          const Crossing crossing = crossingOf(elements_[element], from, along);
                          if (crossing.rangeM < minM) return;
                          if (isPierced(elements_[element], crossing, maxM))
                            visit(element, crossing);
                        });
  }
  // Calls visit(element) for each element of a box that holds the point.
  template <typename Visit>
  void around(Vec3d pointM, Visit&& visit) const {
    tree_.at(toFloat(pointM), [&](std::uint32_t element) {
      if (holds(elements_[element], pointM)) visit(element);
    });
  }
  // A tree of boxes around the points that a line through an element may have within so many deviations of its mean; a
  // deviation along the line is `minSigmaM` or more.
  BoxTree treeWithin(double deviations, double minSigmaM, const Watch& watch) const;

 private:
  std::vector<Ellipsoid> elements_;
  std::vector<Vec3d> sigmasM_;  // by element, along the axes of coordinates
  BoxTree tree_;
};

}  // namespace understory
