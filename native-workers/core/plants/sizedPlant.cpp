// A plant of stated height, diameter, crown and leaf area: its skeleton and leaves are grown, measured and moved until
// their extents are those asked for. What is moved keeps its directions: leaf angles and areas stay.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/error.h"
#include "core/plants/generators.h"
#include "core/plants/sizedLeaves.h"
#include "core/plants/sizedSkeleton.h"
#include "core/scene/footprint.h"

namespace understory {

namespace {

struct Extents {
  double lowestLeafM = 1e12;
  double topM = -1e12;
  double crownWidthM = 0.0;
  // The same of where leaves are attached, and of the wood: what can be moved.
  double lowestFootM = 1e12;
  double highestFootM = -1e12;
  double feetWidthM = 0.0;
};

// Points in the plane of which only the hull is wanted.
class PlanHull {
 public:
  void add(Vec3d point) {
    points_.push_back({static_cast<float>(point.x), static_cast<float>(point.y)});
    constexpr std::size_t manyPoints = 20000;
    if (points_.size() > manyPoints) points_ = convexHull(std::move(points_));
  }
  // Diameter of a circle of its area.
  double widthM() {
    points_ = convexHull(std::move(points_));
    double twiceM2 = 0.0;
    for (std::size_t n = 0; n < points_.size(); ++n) {
      const Vec2f a = points_[n];
      const Vec2f b = points_[(n + 1) % points_.size()];
      twiceM2 += static_cast<double>(a.x) * b.y - static_cast<double>(b.x) * a.y;
    }
    return 2.0 * std::sqrt(0.5 * twiceM2 / piRad);
  }

 private:
  std::vector<Vec2f> points_;
};

Extents extentsOf(const SizedPlantParameters& plant, const std::vector<SizedWood>& woods,
                  const std::vector<FlatLeaf>& leaves) {
  Extents extents;
  PlanHull crown;
  PlanHull feet;
  for (const FlatLeaf& leaf : leaves) {
    feet.add(leaf.baseM);
    extents.lowestFootM = std::min(extents.lowestFootM, leaf.baseM.z);
    extents.highestFootM = std::max(extents.highestFootM, leaf.baseM.z);
    for (const Vec3d corner : flatLeafCorners(leaf, plant.leaves)) {
      extents.lowestLeafM = std::min(extents.lowestLeafM, corner.z);
      extents.topM = std::max(extents.topM, corner.z);
      crown.add(corner);
    }
  }
  for (const SizedWood& wood : woods) {
    for (const StemPoint& point : wood.stem.points) {
      extents.topM = std::max(extents.topM, point.positionM.z);
      extents.highestFootM = std::max(extents.highestFootM, point.positionM.z);
    }
  }
  extents.crownWidthM = crown.widthM();
  extents.feetWidthM = feet.widthM();
  return extents;
}

// Where wood and feet of leaves go so that the extents become those asked for. The ground stays where it is.
struct Move {
  double wide = 1.0;
  double fromLowM = 0.0;
  double fromHighM = 0.0;
  double toLowM = 0.0;
  double toHighM = 0.0;

  Vec3d operator()(Vec3d atM) const {
    const double crown = (toHighM - toLowM) / (fromHighM - fromLowM);
    const double zM =
        atM.z < fromLowM ? atM.z * toLowM / fromLowM : toLowM + (atM.z - fromLowM) * crown;
    return {atM.x * wide, atM.y * wide, zM};
  }
};

Move moveOf(const Extents& from, const SizedPlantParameters& to) {
  const double wideM = from.feetWidthM + to.crownWidthM - from.crownWidthM;
  Move move;
  move.wide = std::clamp(wideM / std::max(from.feetWidthM, 1e-9), 0.5, 2.0);
  move.fromLowM = std::max(from.lowestFootM, 1e-3 * to.heightM);
  move.fromHighM = from.highestFootM;
  const double highM = from.highestFootM + to.heightM - from.topM;
  const double lowM = from.lowestFootM + to.crownBaseM - from.lowestLeafM;
  move.toHighM = std::max(highM, 0.05 * to.heightM);
  move.toLowM = std::clamp(lowM, 0.002 * to.heightM, 0.98 * move.toHighM);
  return move;
}

bool isFitted(const Extents& extents, const SizedPlantParameters& plant) {
  constexpr double tolerance = 1e-3;
  return std::abs(extents.topM / plant.heightM - 1.0) < tolerance &&
         std::abs(extents.lowestLeafM / plant.crownBaseM - 1.0) < tolerance &&
         std::abs(extents.crownWidthM / plant.crownWidthM - 1.0) < tolerance;
}

void refuse(const std::string& field, const std::string& expected) {
  throwBadInput("plant", field, expected);
}

void fit(const SizedPlantParameters& plant, std::vector<SizedWood>& woods,
         std::vector<FlatLeaf>& leaves) {
  constexpr int maxRounds = 40;
  for (int round = 0; round < maxRounds; ++round) {
    const Extents extents = extentsOf(plant, woods, leaves);
    if (isFitted(extents, plant)) return;
    // A crown of leaves on one stem is as wide as they are long: they get longer at the same area.
    const bool isOneStem = extents.feetWidthM < 0.3 * plant.crownWidthM;
    Move moved = moveOf(extents, plant);
    if (isOneStem) moved.wide = 1.0;
    const double longer = std::clamp(plant.crownWidthM / extents.crownWidthM, 0.7, 1.4);
    for (FlatLeaf& leaf : leaves) {
      leaf.baseM = moved(leaf.baseM);
      if (isOneStem) leaf.slenderness *= longer;
    }
    for (SizedWood& wood : woods) {
      for (StemPoint& point : wood.stem.points) {
        point.positionM = moved(point.positionM);
      }
    }
  }
  refuse("leaves.lengthM", "leaves that fit a crown of " + std::to_string(plant.crownWidthM) +
                               " m by " + std::to_string(plant.heightM - plant.crownBaseM) + " m");
}

// A ring at diameterAtM, level rings of the area of the circle that is meant, and the foot's flare.
void shapeStem(const SizedPlantParameters& plant, SizedWood& wood, double thickness) {
  std::vector<StemPoint>& points = wood.stem.points;
  const double atM = plant.diameterAtM;
  const auto above = std::find_if(points.begin(), points.end(),
                                  [&](const StemPoint& point) { return point.positionM.z >= atM; });
  const bool hasRing = above != points.end() && above != points.begin();
  if (hasRing && above->positionM.z - atM > 1e-6) {
    const StemPoint& below = *(above - 1);
    const double share = (atM - below.positionM.z) / (above->positionM.z - below.positionM.z);
    StemPoint ring = below;
    ring.positionM = below.positionM * (1.0 - share) + above->positionM * share;
    points.insert(above, ring);
  }
  const double sectorRad = 2.0 * piRad / wood.sides;
  const double corner = std::sqrt(sectorRad / std::sin(sectorRad));
  const auto flareAt = [&](double zM) {
    return 1.0 + plant.stems.flare * std::exp(-std::max(0.0, zM) / (1.2 * plant.diameterM));
  };
  for (StemPoint& point : points) {
    const double zM = point.positionM.z;
    point.radiusM =
        thickness * corner * stemRadiusAt(plant, zM) * flareAt(zM) / flareAt(plant.diameterAtM);
    point.frame = {};
  }
}

}  // namespace

std::uint64_t predictTriangles(const SizedPlantParameters& plant) {
  const SizedStems& stems = plant.stems;
  double triangles = static_cast<double>(stems.count) * stems.sides * (2.0 * stems.segments + 1.0) +
                     15.0 * stems.deadBoughs;
  for (std::size_t order = 1; order <= plant.levels.size(); ++order) {
    const SizedLevel& level = plant.levels[order - 1];
    triangles += maxSizedBranches(plant, order) * level.sides * (2.0 * level.segments - 1.0);
  }
  triangles += static_cast<double>(countSizedLeaves(plant)) * plant.leaves.triangles;
  return static_cast<std::uint64_t>(std::min(triangles, 1e18));
}

GrownPlant grow(const SizedPlantParameters& plant, std::uint64_t seed,
                const MaterialIndices& materials, Meter& meter) {
  const std::uint16_t leafMaterial = materialOf(materials, plant.leaves.material);
  const std::uint16_t bark = materialOf(materials, plant.barkMaterial);
  std::vector<SizedWood> woods = growSizedSkeleton(plant, seed);
  std::vector<FlatLeaf> leaves = growSizedLeaves(plant, woods, seed);
  fit(plant, woods, leaves);
  GrownPlant grown;
  grown.builder.meter = &meter;
  grown.barkMaterial = bark;
  const double thickestM = woods[0].stem.points[0].radiusM;
  for (SizedWood& wood : woods) {
    const double thickness = wood.stem.points[0].radiusM / thickestM;
    if (wood.stem.order == 0) shapeStem(plant, wood, thickness);
    addWood(grown.builder, wood.stem, wood.sides, bark);
  }
  for (const FlatLeaf& leaf : borneLeaves(plant, leaves, seed)) {
    addFlatLeaf(grown.builder, flatLeafCorners(leaf, plant.leaves), leafMaterial);
  }
  grown.builder.meter = nullptr;
  if (bark != leafMaterial) grown.foliage = measureFoliage(grown.builder.mesh, leafMaterial);
  return grown;
}

}  // namespace understory
