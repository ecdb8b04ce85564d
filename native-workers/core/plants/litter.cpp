#include "core/plants/litter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/error.h"
#include "core/plants/sizedLeaves.h"
#include "core/random/philox.h"

namespace understory {

namespace {

// Heights of the lowest corner of a leaf: from just above the ground to a share of the leaf's length.
constexpr double litterGapM = 0.001;
constexpr double litterLayerOfLength = 0.2;
constexpr std::uint32_t trianglesOfLeaf = 4;

SizedLeaves shapeOf(const LitterSource& litter) {
  SizedLeaves shape;
  shape.lengthM = litter.leafM[0];
  shape.widthM = litter.leafM[1];
  shape.triangles = trianglesOfLeaf;
  return shape;
}

// A place on the square is free of one leaf with 1 - a / S, for S its area and a the mean area of a leaf from above, and of
// n independent ones with that to the power n. Tilts are uniform, so that the mean of their cosine is sin(t) / t.
double leavesOf(const LitterSource& litter) {
  if (litter.sideM < 3.0 * std::max(litter.leafM[0], litter.leafM[1])) {
    throw UnderstoryError(ErrorCode::badInput,
                          "litter: expected a side of at least the length of three leaves");
  }
  const double tilt = litter.maxTiltRad;
  const double meanCosine = tilt == 0.0 ? 1.0 : std::sin(tilt) / tilt;
  const double share = flatLeafAreaM2(shapeOf(litter)) * meanCosine / (litter.sideM * litter.sideM);
  return std::log1p(-litter.cover) / std::log1p(-share);
}

Vec3d middleOf(const std::vector<Vec3d>& corners) {
  Vec3d sum;
  for (const Vec3d corner : corners) sum = sum + corner;
  return sum * (1.0 / static_cast<double>(corners.size()));
}

std::vector<Vec3d> drawLeaf(const LitterSource& litter, const SizedLeaves& shape,
                            RandomStream& random) {
  const double halfM = 0.5 * litter.sideM;
  const double xM = random.uniform(-halfM, halfM);
  const double yM = random.uniform(-halfM, halfM);
  const double azimuthRad = random.uniform(0.0, 2.0 * piRad);
  const double tiltRad = random.uniform(0.0, litter.maxTiltRad);
  const double towardsRad = random.uniform(0.0, 2.0 * piRad);
  const double liftM = random.uniform(litterGapM, litterLayerOfLength * shape.lengthM);
  FlatLeaf leaf;
  leaf.normal = {std::sin(tiltRad) * std::cos(towardsRad), std::sin(tiltRad) * std::sin(towardsRad),
                 std::cos(tiltRad)};
  const Vec3d level{std::cos(azimuthRad), std::sin(azimuthRad), 0.0};
  leaf.direction = normalized(level - leaf.normal * dot(level, leaf.normal));
  std::vector<Vec3d> corners = flatLeafCorners(leaf, shape);
  const Vec3d middle = middleOf(corners);
  double lowest = std::numeric_limits<double>::infinity();
  for (const Vec3d corner : corners) lowest = std::min(lowest, corner.z);
  for (Vec3d& corner : corners) {
    corner = corner + Vec3d{xM - middle.x, yM - middle.y, liftM - lowest};
  }
  return corners;
}

}  // namespace

std::uint64_t trianglesOf(const LitterSource& litter) {
  const double leaves = std::ceil(leavesOf(litter));
  return trianglesOfLeaf * static_cast<std::uint64_t>(std::clamp(leaves, 0.0, 1e15));
}

MeshBuilder makeLitter(const LitterSource& litter, const Watch& watch) {
  const SizedLeaves shape = shapeOf(litter);
  RandomStream random(litter.seed, RandomPurpose::litter, 0);
  // Rounded at random, so that the mean over squares of different seeds is exact.
  const auto leaves = static_cast<std::uint64_t>(leavesOf(litter) + random.uniform());
  MeshBuilder builder;
  Meter meter(watch, "growing", leaves * trianglesOfLeaf);
  builder.meter = &meter;
  for (std::uint64_t leaf = 0; leaf < leaves; ++leaf) {
    addFlatLeaf(builder, drawLeaf(litter, shape, random), litter.material);
  }
  builder.meter = nullptr;
  return builder;
}

}  // namespace understory
