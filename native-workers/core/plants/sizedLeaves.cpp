// Leaves at even distances along all twigs, their sizes scaled to the area asked for.
#include "core/plants/sizedLeaves.h"

#include <algorithm>
#include <cmath>

#include "core/mutation.h"
#include "core/plants/generators.h"
#include "core/plants/leafAngles.h"
#include "core/random/philox.h"

namespace understory {

namespace {

constexpr std::uint64_t leafStreams = std::uint64_t{2} << 32U;
constexpr std::uint64_t borneStreams = std::uint64_t{4} << 32U;

// Shares along and across a hexagon: its widest parts.
constexpr double lowAlong = 0.3;
constexpr double highAlong = 0.7;
constexpr double highAcross = 0.85;
constexpr double kiteAlong = 0.45;

// A part of a stem that bears leaves.
struct Carrier {
  std::size_t wood = 0;
  double fromShare = 0.0;
  double toM = 0.0;  // lengths of all carriers up to its end
};

std::vector<Carrier> carriersOf(const SizedPlantParameters& plant,
                                const std::vector<SizedWood>& woods) {
  std::vector<Carrier> carriers;
  double sumM = 0.0;
  const auto add = [&](std::size_t wood, double fromShare) {
    sumM += woods[wood].stem.lengthM * (1.0 - fromShare);
    carriers.push_back({wood, fromShare, sumM});
  };
  const std::size_t last = plant.levels.size();
  for (std::size_t index = 0; index < woods.size(); ++index) {
    const auto& [stem, sides, isDead] = woods[index];
    if (isDead) continue;
    const double topM = stem.points.back().positionM.z;
    if (stem.order == 0) {
      // The leader of a conifer; all of the crown where there are no branches.
      const double fromM = last == 0 ? plant.crownBaseM : plant.crownBaseM * 0.04 + topM * 0.96;
      if (last == 0 || plant.stems.topShare == 1.0) add(index, std::min(0.99, fromM / topM));
    } else if (stem.order == last) {
      add(index, 0.06);
    } else if (stem.order + 1 == last) {
      add(index, 0.6);
    }
  }
  return carriers;
}

// As the direction of the twig allows, in the plane of an angle of the law.
FlatLeaf leafAt(const SizedLeaves& leaves, const StemPoint& at, double aroundRad,
                RandomStream& random) {
  const double angleRad = leafAngleAt(leaves.angles, random.uniform());
  const double azimuthRad = random.uniform(0.0, 2.0 * piRad);
  const double forwardRad = leaves.forwardRad + random.uniform(-0.25, 0.25);
  const Vec3d outward = at.frame.x * std::cos(aroundRad) + at.frame.y * std::sin(aroundRad);
  const Vec3d wanted = at.frame.z * std::cos(forwardRad) + outward * std::sin(forwardRad);
  FlatLeaf leaf;
  leaf.normal = {std::sin(angleRad) * std::cos(azimuthRad),
                 std::sin(angleRad) * std::sin(azimuthRad), std::cos(angleRad)};
  const Vec3d direction = wanted - leaf.normal * dot(wanted, leaf.normal);
  leaf.direction = length(direction) < 1e-3
                       ? Vec3d{-std::sin(azimuthRad), std::cos(azimuthRad), 0.0}
                       : normalized(direction);
  leaf.baseM = at.positionM + wanted * (leaves.petiole * leaves.lengthM);
  leaf.size = random.uniform(0.85, 1.15);
  return leaf;
}

// One-sided, all leaves together.
double leafAreaM2Of(const SizedPlantParameters& plant) {
  const bool isTwoSided = activeMutation() == Mutation::leafAreaTwoSided;
  return isTwoSided ? 0.5 * plant.leafAreaM2 : plant.leafAreaM2;
}

void scaleToArea(std::vector<FlatLeaf>& leaves, double leafM2, double areaM2) {
  double sum = 0.0;
  for (const FlatLeaf& leaf : leaves) sum += leafM2 * leaf.size * leaf.size;
  for (FlatLeaf& leaf : leaves) leaf.size *= std::sqrt(areaM2 / sum);
}

}  // namespace

double flatLeafAreaM2(const SizedLeaves& leaves) {
  const double across = leaves.triangles == 2
                            ? 0.5
                            : 0.5 * lowAlong + 0.5 * (highAlong - lowAlong) * (1.0 + highAcross) +
                                  0.5 * (1.0 - highAlong) * highAcross;
  return leaves.lengthM * leaves.widthM * across;
}

std::vector<Vec3d> flatLeafCorners(const FlatLeaf& leaf, const SizedLeaves& leaves) {
  const Vec3d along = leaf.direction * (leaf.size * leaf.slenderness * leaves.lengthM);
  const Vec3d across =
      cross(leaf.normal, leaf.direction) * (0.5 * leaf.size / leaf.slenderness * leaves.widthM);
  if (leaves.triangles == 2) {
    const Vec3d middle = leaf.baseM + along * kiteAlong;
    return {leaf.baseM, middle - across, leaf.baseM + along, middle + across};
  }
  const Vec3d low = leaf.baseM + along * lowAlong;
  const Vec3d high = leaf.baseM + along * highAlong;
  return {leaf.baseM,
          low - across,
          high - across * highAcross,
          leaf.baseM + along,
          high + across * highAcross,
          low + across};
}

void addFlatLeaf(MeshBuilder& builder, const std::vector<Vec3d>& corners, std::uint16_t material) {
  std::vector<std::uint32_t> at;
  for (const Vec3d corner : corners) at.push_back(builder.addVertex(corner));
  // The same for kite and hexagon: a fan across it, from its right side.
  for (std::size_t n = 2; n < at.size(); ++n) {
    builder.addTriangle(at[1], at[n], at[(n + 1) % at.size()], material);
  }
}

std::uint64_t countSizedLeaves(const SizedPlantParameters& plant) {
  const double leaves = leafAreaM2Of(plant) / flatLeafAreaM2(plant.leaves);
  return static_cast<std::uint64_t>(std::clamp(std::round(leaves), 1.0, 1e12));
}

std::vector<FlatLeaf> growSizedLeaves(const SizedPlantParameters& plant,
                                      const std::vector<SizedWood>& woods, std::uint64_t seed) {
  const std::vector<Carrier> carriers = carriersOf(plant, woods);
  const std::uint64_t count = countSizedLeaves(plant);
  std::vector<FlatLeaf> leaves;
  leaves.reserve(count);
  RandomStream random(seed, RandomPurpose::plant, leafStreams);
  std::size_t carrier = 0;
  double fromM = 0.0;
  for (std::uint64_t n = 0; n < count; ++n) {
    const double atM = carriers.back().toM * (static_cast<double>(n) + random.uniform()) /
                       static_cast<double>(count);
    while (carrier + 1 < carriers.size() && carriers[carrier].toM < atM) {
      fromM = carriers[carrier].toM;
      ++carrier;
    }
    const auto& [wood, fromShare, toM] = carriers[carrier];
    const double share = fromShare + (1.0 - fromShare) * (atM - fromM) / (toM - fromM);
    const double aroundRad = goldenAngleRad * static_cast<double>(n) + random.uniform(-0.4, 0.4);
    leaves.push_back(leafAt(plant.leaves, pointAlong(woods[wood].stem, share), aroundRad, random));
  }
  scaleToArea(leaves, flatLeafAreaM2(plant.leaves), leafAreaM2Of(plant));
  return leaves;
}

std::vector<FlatLeaf> borneLeaves(const SizedPlantParameters& plant,
                                  const std::vector<FlatLeaf>& leaves, std::uint64_t seed) {
  if (plant.leafShare == 1.0) return leaves;
  std::vector<FlatLeaf> borne;
  RandomStream random(seed, RandomPurpose::plant, borneStreams);
  for (const FlatLeaf& leaf : leaves) {
    if (random.uniform() < plant.leafShare) borne.push_back(leaf);
  }
  if (borne.empty() && plant.leafShare > 0.0) borne.push_back(leaves.front());
  if (!borne.empty()) {
    scaleToArea(borne, flatLeafAreaM2(plant.leaves), plant.leafShare * leafAreaM2Of(plant));
  }
  return borne;
}

}  // namespace understory
