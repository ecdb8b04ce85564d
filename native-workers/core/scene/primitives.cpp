// Boxes, spheres, cylinders and planes as triangles.
#include "core/scene/primitives.h"

#include <array>
#include <cmath>

namespace understory {

MeshBuilder makeBox(Vec3d sizeM, std::uint16_t material) {
  MeshBuilder builder;
  // Bits 0, 1, 2 of a corner's number say whether it lies on the far side in x, y, z.
  for (unsigned corner = 0; corner < 8; ++corner) {
    builder.addVertex(Vec3d{(corner & 1U) != 0 ? sizeM.x / 2 : -sizeM.x / 2,
                            (corner & 2U) != 0 ? sizeM.y / 2 : -sizeM.y / 2,
                            (corner & 4U) != 0 ? sizeM.z / 2 : -sizeM.z / 2});
  }
  constexpr std::array<std::array<std::uint32_t, 4>, 6> faces{
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  for (const auto& face : faces) {
    builder.addTriangle(face[0], face[1], face[2], material);
    builder.addTriangle(face[0], face[2], face[3], material);
  }
  return builder;
}

MeshBuilder makeSphere(double radiusM, std::uint32_t rings, std::uint16_t material) {
  MeshBuilder builder;
  const std::uint32_t sectors = 2 * rings;
  const std::uint32_t southPole = builder.addVertex(Vec3d{0.0, 0.0, -radiusM});
  for (std::uint32_t ring = 1; ring < rings; ++ring) {
    const double polar = piRad * ring / rings;  // from the south pole
    for (std::uint32_t sector = 0; sector < sectors; ++sector) {
      const double azimuth = 2.0 * piRad * sector / sectors;
      builder.addVertex(Vec3d{radiusM * std::sin(polar) * std::cos(azimuth),
                              radiusM * std::sin(polar) * std::sin(azimuth),
                              -radiusM * std::cos(polar)});
    }
  }
  const std::uint32_t northPole = builder.addVertex(Vec3d{0.0, 0.0, radiusM});
  const auto at = [&](std::uint32_t ring, std::uint32_t sector) {
    return 1 + (ring - 1) * sectors + sector % sectors;
  };
  for (std::uint32_t sector = 0; sector < sectors; ++sector) {
    builder.addTriangle(southPole, at(1, sector + 1), at(1, sector), material);
    for (std::uint32_t ring = 1; ring + 1 < rings; ++ring) {
      builder.addTriangle(at(ring, sector), at(ring, sector + 1), at(ring + 1, sector + 1),
                          material);
      builder.addTriangle(at(ring, sector), at(ring + 1, sector + 1), at(ring + 1, sector),
                          material);
    }
    builder.addTriangle(northPole, at(rings - 1, sector), at(rings - 1, sector + 1), material);
  }
  return builder;
}

MeshBuilder makeCylinder(double radiusM, double heightM, std::uint32_t sides, bool hasCaps,
                         std::uint16_t material) {
  MeshBuilder builder;
  for (std::uint32_t side = 0; side < sides; ++side) {
    const double azimuth = 2.0 * piRad * side / sides;
    const double x = radiusM * std::cos(azimuth);
    const double y = radiusM * std::sin(azimuth);
    builder.addVertex(Vec3d{x, y, 0.0});
    builder.addVertex(Vec3d{x, y, heightM});
  }
  for (std::uint32_t side = 0; side < sides; ++side) {
    const std::uint32_t here = 2 * side;
    const std::uint32_t next = 2 * ((side + 1) % sides);
    builder.addTriangle(here, next, next + 1, material);
    builder.addTriangle(here, next + 1, here + 1, material);
  }
  if (!hasCaps) return builder;
  const std::uint32_t bottom = builder.addVertex(Vec3d{0.0, 0.0, 0.0});
  const std::uint32_t top = builder.addVertex(Vec3d{0.0, 0.0, heightM});
  for (std::uint32_t side = 0; side < sides; ++side) {
    const std::uint32_t here = 2 * side;
    const std::uint32_t next = 2 * ((side + 1) % sides);
    builder.addTriangle(bottom, next, here, material);
    builder.addTriangle(top, here + 1, next + 1, material);
  }
  return builder;
}

MeshBuilder makePlane(double sizeXM, double sizeYM, std::uint32_t divisions,
                      std::uint16_t material) {
  MeshBuilder builder;
  for (std::uint32_t row = 0; row <= divisions; ++row) {
    for (std::uint32_t column = 0; column <= divisions; ++column) {
      builder.addVertex(Vec3d{sizeXM * (static_cast<double>(column) / divisions - 0.5),
                              sizeYM * (static_cast<double>(row) / divisions - 0.5), 0.0});
    }
  }
  for (std::uint32_t row = 0; row < divisions; ++row) {
    for (std::uint32_t column = 0; column < divisions; ++column) {
      const std::uint32_t southWest = row * (divisions + 1) + column;
      const std::uint32_t northWest = southWest + divisions + 1;
      builder.addTriangle(southWest, southWest + 1, northWest + 1, material);
      builder.addTriangle(southWest, northWest + 1, northWest, material);
    }
  }
  return builder;
}

}  // namespace understory
