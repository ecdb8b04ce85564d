// Boughs end at the outline of the crown; their branches are shares of their length.
#include "core/plants/sizedSkeleton.h"

#include <algorithm>
#include <cmath>

#include "core/plants/crownOutline.h"
#include "core/plants/generators.h"
#include "core/random/philox.h"

namespace understory {

namespace {

constexpr std::uint64_t branchStreams = std::uint64_t{1} << 32U;
constexpr std::uint64_t deadStreams = std::uint64_t{3} << 32U;
const Vec3d up{0.0, 0.0, 1.0};

// `along` a parent, 0 to 1.
double leanRad(const SizedLevel& level, double along) {
  const double firstRad = level.angleDeg[0] * radPerDeg;
  return firstRad + (level.angleDeg[1] * radPerDeg - firstRad) * along;
}

double horizontal(Vec3d v) { return std::hypot(v.x, v.y); }

// A curve from `fromM` over `controlM` to `toM` (quadratic Bézier), with random bends; its radius falls to a share.
struct Curve {
  Vec3d fromM;
  Vec3d controlM;
  Vec3d toM;
  double radiusM = 0.0;
  double bend = 0.0;  // as a share of the length
};

Stem stemAlong(const Curve& curve, std::uint32_t order, std::uint32_t segments,
               RandomStream& random) {
  const double spanM = length(curve.toM - curve.fromM);
  const double phaseX = random.uniform(0.0, 2.0 * piRad);
  const double phaseY = random.uniform(0.0, 2.0 * piRad);
  Stem stem{order, 0.0, {}};
  for (std::uint32_t segment = 0; segment <= segments; ++segment) {
    const double along = static_cast<double>(segment) / segments;
    const double rest = 1.0 - along;
    Vec3d here = curve.fromM * (rest * rest) + curve.controlM * (2.0 * rest * along) +
                 curve.toM * (along * along);
    const double sway = curve.bend * spanM * std::min(1.0, 4.0 * along);
    here.x += sway * (std::sin(phaseX + 5.0 * along) - std::sin(phaseX));
    here.y += sway * (std::sin(phaseY + 4.0 * along) - std::sin(phaseY));
    if (segment > 0) stem.lengthM += length(here - stem.points.back().positionM);
    stem.points.push_back({here, curve.radiusM * (1.0 - 0.8 * along), {}});
  }
  StemFrame frame;
  for (std::size_t point = 0; point < stem.points.size(); ++point) {
    const Vec3d before = stem.points[point == 0 ? 0 : point - 1].positionM;
    const Vec3d after = stem.points[std::min(point + 1, stem.points.size() - 1)].positionM;
    frame = turnedTowards(frame, normalized(after - before));
    stem.points[point].frame = frame;
  }
  return stem;
}

class SizedSkeleton {
 public:
  SizedSkeleton(const SizedPlantParameters& plant, std::uint64_t seed)
      : plant_(plant),
        seed_(seed),
        outline_{plant.crown.widestAt, plant.crown.topPower, plant.crown.basePower},
        crownM_(plant.heightM - plant.crownBaseM) {}

  std::vector<SizedWood> grow() {
    for (std::uint32_t n = 0; n < plant_.stems.count; ++n) growStem(n);
    std::size_t first = 0;
    for (std::uint32_t order = 1; order <= plant_.levels.size(); ++order) {
      const std::size_t end = woods_.size();
      double maxLengthM = 0.0;
      for (std::size_t parent = first; parent < end; ++parent) {
        maxLengthM = std::max(maxLengthM, woods_[parent].stem.lengthM);
      }
      for (std::size_t parent = first; parent < end; ++parent) {
        growChildren(parent, order, maxLengthM);
      }
      first = end;
    }
    growDeadBoughs();
    return std::move(woods_);
  }

 private:
  double halfWidthM() const { return 0.5 * plant_.crownWidthM; }
  double crownShare(double zM) const { return (zM - plant_.crownBaseM) / crownM_; }
  bool isInside(Vec3d atM) const {
    return horizontal(atM) <= halfWidthM() * outline_.widthAt(crownShare(atM.z));
  }

  // Stems of one plant spread to the upper outline of its crown, evenly by the golden angle.
  void growStem(std::uint32_t n) {
    RandomStream random(seed_, RandomPurpose::plant, n);
    const double aroundRad = goldenAngleRad * n + random.uniform(-0.3, 0.3);
    const double out = plant_.stems.count == 1 ? 0.0 : std::sqrt((n + 0.5) / plant_.stems.count);
    const Vec3d outward{std::cos(aroundRad), std::sin(aroundRad), 0.0};
    const double fill = n == 0 ? 1.0 : random.uniform(0.82, 1.0);
    const double topShare = fill * plant_.stems.topShare * outline_.shareAbove(0.9 * out);
    Curve curve;
    curve.fromM = outward * (plant_.stems.footRadiusM * out);
    curve.toM =
        outward * (halfWidthM() * 0.9 * out) + up * (plant_.crownBaseM + topShare * crownM_);
    curve.controlM = curve.fromM * 0.7 + curve.toM * 0.3 + up * (0.25 * curve.toM.z);
    curve.bend = plant_.stems.bend;
    Stem stem = stemAlong(curve, 0, plant_.stems.segments, random);
    const double thickness = n == 0 ? 1.0 : random.uniform(0.5, 0.95);
    for (StemPoint& point : stem.points) {
      point.radiusM = thickness * stemRadiusAt(plant_, point.positionM.z);
    }
    woods_.push_back({std::move(stem), plant_.stems.sides});
  }

  // How far a bough goes in a direction until it leaves the outline.
  double wayToOutlineM(Vec3d fromM, Vec3d direction) const {
    const double stepM = 0.02 * (plant_.crownWidthM + crownM_);
    double lastInsideM = 0.0;
    for (int step = 1; step <= 60; ++step) {
      if (isInside(fromM + direction * (stepM * step))) lastInsideM = stepM * step;
    }
    // A level bough at the base of the crown starts below the outline.
    const double share = std::max(crownShare(fromM.z), 0.5 * plant_.crown.widestAt);
    const double side = std::max(0.3, horizontal(direction));
    const double levelM = halfWidthM() * outline_.widthAt(std::min(1.0, share)) / side;
    return std::max({lastInsideM, horizontal(direction) > 0.8 ? levelM : 0.0, 0.03 * crownM_});
  }

  void growChildren(std::size_t parentIndex, std::uint32_t order, double maxLengthM) {
    const SizedLevel& level = plant_.levels[order - 1];
    const Stem parent = woods_[parentIndex].stem;
    const bool isBough = order == 1;
    RandomStream random(seed_, RandomPurpose::plant, branchStreams + parentIndex);
    const double share = isBough ? 1.0 : 0.15 + 0.85 * parent.lengthM / maxLengthM;
    const auto children =
        std::max<std::uint32_t>(1, static_cast<std::uint32_t>(std::lround(level.count * share)));
    const std::uint32_t whorls = (children + level.whorl - 1) / level.whorl;
    double fromShare = level.bareShare;
    if (isBough) {
      const double topM = parent.points.back().positionM.z;
      const double baseM = plant_.crownBaseM + level.bareShare * (topM - plant_.crownBaseM);
      fromShare = baseM / topM;
    }
    double aroundRad = random.uniform(0.0, 2.0 * piRad);
    for (std::uint32_t child = 0; child < children; ++child) {
      const std::uint32_t whorl = child / level.whorl;
      const double along = (whorl + random.uniform(0.3, 0.7)) / whorls;
      const bool isNewWhorl = child % level.whorl == 0;
      aroundRad += isNewWhorl ? goldenAngleRad : 2.0 * piRad / level.whorl;
      const double turnRad = aroundRad + random.uniform(-0.25, 0.25);
      const double angleRad = leanRad(level, along) + random.uniform(-0.13, 0.13);
      const StemPoint at = pointAlong(parent, fromShare + (0.98 - fromShare) * along);
      const Vec3d direction = directionOf(level, at, angleRad, turnRad, child);
      growBranch(parentIndex, order, at, direction, along, random);
    }
  }

  static Vec3d directionOf(const SizedLevel& level, const StemPoint& at, double angleRad,
                           double turnRad, std::uint32_t child) {
    const Vec3d along = at.frame.z;
    const Vec3d round = at.frame.x * std::cos(turnRad) + at.frame.y * std::sin(turnRad);
    Vec3d side = cross(along, up);
    side = length(side) < 0.05 ? round : normalized(side) * (child % 2 == 0 ? 1.0 : -1.0);
    const Vec3d outward = normalized(round * (1.0 - level.spray) + side * level.spray);
    return normalized(along * std::cos(angleRad) + outward * std::sin(angleRad));
  }

  void growBranch(std::size_t parentIndex, std::uint32_t order, const StemPoint& at,
                  Vec3d direction, double along, RandomStream& random) {
    const SizedLevel& level = plant_.levels[order - 1];
    const double shorter = 1.0 - level.lengthVariation * random.uniform();
    double lengthM = level.lengthRatio * shorter;
    if (order == 1) {
      lengthM *= wayToOutlineM(at.positionM, direction);
    } else {
      lengthM *= woods_[parentIndex].stem.lengthM * (1.0 - 0.6 * along);
      for (int cuts = 0; cuts < 5 && !isInside(at.positionM + direction * lengthM); ++cuts) {
        lengthM *= 0.8;
      }
    }
    Curve curve;
    curve.fromM = at.positionM;
    curve.toM = at.positionM + direction * lengthM;
    curve.controlM = (curve.fromM + curve.toM) * 0.5 - up * (level.sag * lengthM);
    curve.radiusM = std::min(level.slenderness * lengthM, 0.75 * at.radiusM);
    curve.bend = level.bend;
    woods_.push_back({stemAlong(curve, order, level.segments, random), level.sides});
  }

  void growDeadBoughs() {
    const Stem stem = woods_[0].stem;
    // None at breast height, where the stem is measured.
    const double lowestM = std::max(0.35 * plant_.crownBaseM, plant_.diameterAtM + 0.5);
    if (lowestM > 0.95 * plant_.crownBaseM) return;
    for (std::uint32_t n = 0; n < plant_.stems.deadBoughs; ++n) {
      RandomStream random(seed_, RandomPurpose::plant, deadStreams + n);
      const double zM = random.uniform(lowestM, plant_.crownBaseM);
      const StemPoint at = pointAlong(stem, zM / stem.points.back().positionM.z);
      const double aroundRad = goldenAngleRad * n;
      const Vec3d outward{std::cos(aroundRad), std::sin(aroundRad), random.uniform(-0.3, 0.2)};
      const double lengthM = halfWidthM() * random.uniform(0.15, 0.55);
      Curve curve;
      curve.fromM = at.positionM;
      curve.toM = at.positionM + normalized(outward) * lengthM;
      curve.controlM = (curve.fromM + curve.toM) * 0.5;
      curve.radiusM = std::min(0.012 * lengthM, 0.5 * at.radiusM);
      curve.bend = 0.05;
      woods_.push_back({stemAlong(curve, 1, 3, random), 3, true});
    }
  }

  const SizedPlantParameters& plant_;
  std::uint64_t seed_;
  CrownOutline outline_;
  double crownM_;
  std::vector<SizedWood> woods_;
};

}  // namespace

std::vector<SizedWood> growSizedSkeleton(const SizedPlantParameters& plant, std::uint64_t seed) {
  return SizedSkeleton(plant, seed).grow();
}

double stemRadiusAt(const SizedPlantParameters& plant, double zM) {
  const double coneM = plant.heightM - plant.crownBaseM;
  const double atM = plant.diameterAtM;
  // One slope where they meet: r² of the paraboloid falls by 2·r²/cone a metre there.
  const auto relative = [&](double z) {
    return z >= plant.crownBaseM ? std::max(0.0, (plant.heightM - z) / coneM)
                                 : std::sqrt(1.0 + 2.0 * (plant.crownBaseM - z) / coneM);
  };
  return 0.5 * plant.diameterM * relative(zM) / relative(atM);
}

double maxSizedBranches(const SizedPlantParameters& plant, std::size_t order) {
  double branches = plant.stems.count;
  for (std::size_t n = 0; n < order; ++n) branches *= plant.levels[n].count;
  return branches;
}

}  // namespace understory
