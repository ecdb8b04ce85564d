// Each clump draws from a stream of its own.
#include "core/plants/leafDiscs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/plants/leafAngles.h"
#include "core/random/philox.h"

namespace understory {

namespace {

constexpr std::uint32_t sidesOfDisc = 8;

// Uniform in a ball about the origin.
Vec3d inBall(double radiusM, RandomStream& random) {
  const double z = random.uniform(-1.0, 1.0);
  const double azimuthRad = random.uniform(0.0, 2.0 * piRad);
  const double level = std::sqrt(1.0 - z * z);
  const Vec3d direction{level * std::cos(azimuthRad), level * std::sin(azimuthRad), z};
  return direction * (radiusM * std::cbrt(random.uniform()));
}

// Corners of a regular polygon with the area of a circle of radius 1.
std::array<std::array<double, 2>, sidesOfDisc> cornersOfUnitArea() {
  const double radius =
      std::sqrt(2.0 * piRad / (sidesOfDisc * std::sin(2.0 * piRad / sidesOfDisc)));
  std::array<std::array<double, 2>, sidesOfDisc> corners{};
  for (std::uint32_t side = 0; side < sidesOfDisc; ++side) {
    const double turnRad = 2.0 * piRad * side / sidesOfDisc;
    corners[side] = {radius * std::cos(turnRad), radius * std::sin(turnRad)};
  }
  return corners;
}

}  // namespace

std::uint64_t trianglesOf(const LeafDiscsSource& discs) {
  return std::uint64_t{sidesOfDisc - 2} * discs.leaves;
}

MeshBuilder makeLeafDiscs(const LeafDiscsSource& discs, const Watch& watch) {
  MeshBuilder builder;
  builder.mesh.vertices.reserve(std::size_t{sidesOfDisc} * discs.leaves);
  builder.mesh.triangles.reserve(trianglesOf(discs));
  builder.mesh.materialOfTriangle.reserve(trianglesOf(discs));
  Meter meter(watch, "growing", discs.leaves);
  const auto corners = cornersOfUnitArea();
  const double radiusM = 0.5 * discs.leafSizeM;
  const auto& [sizeX, sizeY, sizeZ] = discs.sizeM;
  for (std::uint32_t first = 0; first < discs.leaves; first += discs.clumpLeaves) {
    meter.advanceTo(first);
    RandomStream random(discs.seed, RandomPurpose::leafDisc, first);
    const Vec3d clumpM{random.uniform(-0.5, 0.5) * sizeX, random.uniform(-0.5, 0.5) * sizeY,
                       random.uniform() * sizeZ};
    const std::uint32_t leaves = std::min(discs.clumpLeaves, discs.leaves - first);
    for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
      const Vec3d placeM =
          discs.clumpLeaves == 1 ? clumpM : clumpM + inBall(discs.clumpRadiusM, random);
      const double angleRad = leafAngleAt(discs.leafAngles, random.uniform());
      const double azimuthRad = random.uniform(0.0, 2.0 * piRad);
      const Vec3d across{-std::sin(azimuthRad), std::cos(azimuthRad), 0.0};
      const Vec3d along{std::cos(angleRad) * std::cos(azimuthRad),
                        std::cos(angleRad) * std::sin(azimuthRad), -std::sin(angleRad)};
      std::array<std::uint32_t, sidesOfDisc> vertices{};
      for (std::uint32_t side = 0; side < sidesOfDisc; ++side) {
        const auto& [u, v] = corners[side];
        vertices[side] = builder.addVertex(placeM + along * (u * radiusM) + across * (v * radiusM));
      }
      for (std::uint32_t side = 2; side < sidesOfDisc; ++side) {
        builder.addTriangle(vertices[0], vertices[side - 1], vertices[side], discs.material);
      }
    }
  }
  return builder;
}

}  // namespace understory
