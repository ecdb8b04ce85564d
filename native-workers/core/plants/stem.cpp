// Chains of points, and wood around them.
#include "core/plants/stem.h"

#include <algorithm>
#include <cmath>

namespace understory {

namespace {

StemFrame turned(const StemFrame& frame, Vec3d axis, double angleRad) {
  const Quatd turn = rotationAbout(axis, angleRad);
  return {rotate(turn, frame.x), rotate(turn, frame.y), rotate(turn, frame.z)};
}

Vec3d mix(Vec3d a, Vec3d b, double share) { return a * (1.0 - share) + b * share; }

}  // namespace

StemFrame turnedAboutX(const StemFrame& frame, double angleRad) {
  return turned(frame, frame.x, angleRad);
}
StemFrame turnedAboutY(const StemFrame& frame, double angleRad) {
  return turned(frame, frame.y, angleRad);
}
StemFrame turnedAboutZ(const StemFrame& frame, double angleRad) {
  return turned(frame, frame.z, angleRad);
}

StemFrame turnedTowards(const StemFrame& frame, Vec3d direction) {
  const Vec3d axis = cross(frame.z, direction);
  const double sine = length(axis);
  const double cosine = dot(frame.z, direction);
  if (sine < 1e-9) return cosine > 0.0 ? frame : turnedAboutX(frame, piRad);
  return turned(frame, axis * (1.0 / sine), std::atan2(sine, cosine));
}

StemPoint pointAlong(const Stem& stem, double share) {
  const double at = std::clamp(share, 0.0, 1.0) * static_cast<double>(stem.points.size() - 1);
  const std::size_t index = std::min(static_cast<std::size_t>(at), stem.points.size() - 2);
  const double rest = at - static_cast<double>(index);
  const StemPoint& from = stem.points[index];
  const StemPoint& to = stem.points[index + 1];
  return {mix(from.positionM, to.positionM, rest),
          from.radiusM + rest * (to.radiusM - from.radiusM), from.frame};
}

void addWood(MeshBuilder& builder, const Stem& stem, std::uint32_t sides, std::uint16_t material) {
  std::uint32_t ringBelow = 0;
  for (std::size_t index = 0; index + 1 < stem.points.size(); ++index) {
    const StemPoint& point = stem.points[index];
    std::uint32_t ring = 0;
    for (std::uint32_t side = 0; side < sides; ++side) {
      const double aroundRad = 2.0 * piRad * side / sides;
      const Vec3d outward =
          point.frame.x * std::cos(aroundRad) + point.frame.y * std::sin(aroundRad);
      const std::uint32_t corner = builder.addVertex(point.positionM + outward * point.radiusM);
      if (side == 0) ring = corner;
    }
    for (std::uint32_t side = 0; index > 0 && side < sides; ++side) {
      const std::uint32_t next = (side + 1) % sides;
      builder.addTriangle(ringBelow + side, ringBelow + next, ring + next, material);
      builder.addTriangle(ringBelow + side, ring + next, ring + side, material);
    }
    ringBelow = ring;
  }
  const std::uint32_t tip = builder.addVertex(stem.points.back().positionM);
  for (std::uint32_t side = 0; side < sides; ++side) {
    builder.addTriangle(ringBelow + side, ringBelow + (side + 1) % sides, tip, material);
  }
}

}  // namespace understory
