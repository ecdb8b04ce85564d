// Branches order by order, from the trunk on (Weber and Penn 1995).
#include "core/plants/treeSkeleton.h"

#include <algorithm>
#include <cmath>

#include "core/random/philox.h"

namespace understory {

namespace {

// Weber and Penn, section 4.3; `ratio` is 1 at the base of the crown and 0 at its top.
double shapeRatio(CrownShape shape, double ratio) {
  switch (shape) {
    case CrownShape::conical:
      return 0.2 + 0.8 * ratio;
    case CrownShape::spherical:
      return 0.2 + 0.8 * std::sin(piRad * ratio);
    case CrownShape::hemispherical:
      return 0.2 + 0.8 * std::sin(0.5 * piRad * ratio);
    case CrownShape::cylindrical:
      return 1.0;
    case CrownShape::tapered:
      return 0.5 + 0.5 * ratio;
    case CrownShape::flame:
      return ratio <= 0.7 ? ratio / 0.7 : (1.0 - ratio) / 0.3;
  }
  return 1.0;
}

struct StemStart {
  Vec3d positionM;
  StemFrame frame;
  double lengthM = 0.0;
  double radiusM = 0.0;
};

// Turns a frame towards the vertical, by a share of what is missing (section 4.8).
StemFrame attractedUp(const StemFrame& frame, double share) {
  const Vec3d axis = cross(frame.z, Vec3d{0.0, 0.0, 1.0});
  const double sine = length(axis);
  if (sine < 1e-9) return frame;
  const double declinationRad = std::atan2(sine, frame.z.z);
  const Quatd turn = rotationAbout(axis * (1.0 / sine), declinationRad * share);
  return {rotate(turn, frame.x), rotate(turn, frame.y), rotate(turn, frame.z)};
}

class Skeleton {
 public:
  Skeleton(const TreeParameters& tree, std::uint64_t seed) : tree_(tree), seed_(seed) {}

  std::vector<Stem> grow() {
    growStem(0, {{}, {}, tree_.heightM, tree_.trunk.radiusM});
    std::size_t first = 0;
    for (std::uint32_t order = 1; order <= tree_.levels.size(); ++order) {
      const std::size_t end = stems_.size();
      double maxLengthM = 0.0;
      for (std::size_t parent = first; parent < end; ++parent) {
        maxLengthM = std::max(maxLengthM, stems_[parent].lengthM);
      }
      for (std::size_t parent = first; parent < end; ++parent) {
        growChildren(parent, order, maxLengthM);
      }
      first = end;
    }
    return std::move(stems_);
  }

 private:
  // Sections 4.1 and 4.6: a chain of segments that bends, its radius falling to nothing at the tip.
  void growStem(std::uint32_t orderNumber, StemStart start) {
    const StemShape order = stemShapeOf(tree_, orderNumber);
    RandomStream random(seed_, RandomPurpose::plant, stems_.size());
    Stem stem{orderNumber, start.lengthM, {}};
    const double stepM = start.lengthM / order.segments;
    for (std::uint32_t segment = 0; segment <= order.segments; ++segment) {
      const double along = static_cast<double>(segment) / order.segments;
      double radiusM = start.radiusM * (1.0 - along);
      if (orderNumber == 0 && along < 0.125) {
        // Section 4.4: the trunk flares at its foot.
        radiusM *= 1.0 + tree_.trunk.flare * (std::pow(100.0, 1.0 - 8.0 * along) - 1.0) / 100.0;
      }
      stem.points.push_back({start.positionM, radiusM, start.frame});
      start.positionM = start.positionM + start.frame.z * stepM;
      const double vary = order.curveVariationRad / order.segments;
      const double bendRad = order.curveRad / order.segments + random.uniform(-vary, vary);
      start.frame = turnedAboutX(start.frame, bendRad);
      start.frame = turnedAboutY(start.frame, random.uniform(-vary, vary));
      if (orderNumber > 0) {
        start.frame = attractedUp(start.frame, tree_.attractionUp / order.segments);
      }
    }
    stems_.push_back(std::move(stem));
  }

  // Section 4.3. `maxLengthM`: of the parents' order.
  void growChildren(std::size_t parentIndex, std::uint32_t orderNumber, double maxLengthM) {
    const BranchParameters& order = tree_.levels[orderNumber - 1];
    const bool isOnTrunk = orderNumber == 1;
    const double parentLengthM = stems_[parentIndex].lengthM;
    RandomStream random(seed_, RandomPurpose::plant, childStreams_ + parentIndex);
    const double share = isOnTrunk ? 1.0 : 0.2 + 0.8 * parentLengthM / maxLengthM;
    const auto children = static_cast<std::uint32_t>(std::lround(order.branches * share));
    // Branches leave the foot of a branch bare, where there is little light.
    const double bareM = isOnTrunk ? tree_.crownBaseM : 0.18 * parentLengthM;
    double aroundRad = random.uniform(0.0, 2.0 * piRad);
    for (std::uint32_t child = 0; child < children; ++child) {
      const double stepM = (parentLengthM - bareM) / children;
      const double offsetM = bareM + stepM * (child + random.uniform(0.25, 0.75));
      const StemPoint point = pointAlong(stems_[parentIndex], offsetM / parentLengthM);
      const double ratio = (parentLengthM - offsetM) / (parentLengthM - bareM);
      const double vary = 1.0 + random.uniform(-order.lengthVariation, order.lengthVariation);
      StemStart start;
      start.positionM = point.positionM;
      start.lengthM = vary * order.lengthRatio *
                      (isOnTrunk ? parentLengthM * shapeRatio(tree_.crownShape, ratio)
                                 : parentLengthM - 0.6 * offsetM);
      // Section 4.4: RatioPower; never thicker than the parent is there.
      start.radiusM = std::min(stems_[parentIndex].points[0].radiusM *
                                   std::pow(start.lengthM / parentLengthM, tree_.ratioPower),
                               0.9 * point.radiusM);
      aroundRad +=
          order.rotateRad + random.uniform(-order.rotateVariationRad, order.rotateVariationRad);
      const double spreadRad = order.downAngleVariationRad;
      const double downRad =
          order.downAngleRad +
          (spreadRad >= 0.0 ? random.uniform(-spreadRad, spreadRad)
                            : spreadRad * (1.0 - 2.0 * shapeRatio(CrownShape::conical, ratio)));
      // Why minus: a positive curve then bends a branch back towards its parent's direction.
      start.frame = turnedAboutX(turnedAboutZ(point.frame, aroundRad), -downRad);
      growStem(orderNumber, start);
    }
  }

  static constexpr std::uint64_t childStreams_ = std::uint64_t{1} << 32U;

  const TreeParameters& tree_;
  std::uint64_t seed_;
  std::vector<Stem> stems_;
};

template <typename Stems>
StemShape shapeOf(const Stems& stems) {
  return {stems.curveRad, stems.curveVariationRad, stems.segments, stems.sides};
}

}  // namespace

StemShape stemShapeOf(const TreeParameters& tree, std::size_t order) {
  return order == 0 ? shapeOf(tree.trunk) : shapeOf(tree.levels[order - 1]);
}

std::vector<Stem> growSkeleton(const TreeParameters& tree, std::uint64_t seed) {
  return Skeleton(tree, seed).grow();
}

}  // namespace understory
