// The strip of a blade, segment by segment.
#include "core/plants/blade.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace understory {

namespace {

// Width along a blade as a share of the widest: narrow sheath, widest at a quarter, fine tip.
double bladeWidthShare(double along) {
  const double taper = std::pow(1.0 - along, 0.75);
  const double sheath = 0.55 + 0.45 * std::min(1.0, along / 0.25);
  return taper * sheath;
}

}  // namespace

void addBlade(MeshBuilder& builder, const BladeShape& shape, std::uint16_t material) {
  const Vec3d outward{std::cos(shape.azimuthRad), std::sin(shape.azimuthRad), 0.0};
  const Vec3d sideways{-outward.y, outward.x, 0.0};
  const Vec3d up{0.0, 0.0, 1.0};
  const std::uint32_t segments = shape.segments;
  // Two steps a segment: the odd ones are needed only for the tip. The bend gathers towards the tip.
  const std::uint32_t steps = 2 * segments;
  Vec3d middle = shape.baseM;
  std::array<std::uint32_t, 3> below{};  // left edge, middle line, right edge
  for (std::uint32_t step = 0; step <= steps; ++step) {
    const double along = static_cast<double>(step) / steps;
    const double angleRad = shape.leanRad + shape.bendRad * std::pow(along, 1.6);
    const Vec3d tangent = outward * std::sin(angleRad) + up * std::cos(angleRad);
    if (step == steps - 1) {
      // The tip: its last four triangles share a point of the middle line.
      const std::uint32_t centre = builder.addVertex(middle);
      const std::uint32_t tip = builder.addVertex(middle + tangent * (shape.lengthM / steps));
      builder.addTriangle(below[0], below[1], centre, material);
      builder.addTriangle(below[0], centre, tip, material);
      builder.addTriangle(below[1], below[2], centre, material);
      builder.addTriangle(centre, below[2], tip, material);
      return;
    }
    if (step % 2 == 0) {
      const double twistRad = shape.twistRad * along;
      const Vec3d face = cross(sideways, tangent);  // to the upper side
      const Vec3d across = sideways * std::cos(twistRad) + face * std::sin(twistRad);
      const Vec3d raised = cross(across, tangent);
      const double half = 0.5 * shape.widthM * bladeWidthShare(along);
      const Vec3d wing = across * (half * std::cos(0.5 * shape.foldRad));
      const Vec3d lift = raised * (half * std::sin(0.5 * shape.foldRad));
      const std::array<std::uint32_t, 3> here{builder.addVertex(middle - wing + lift),
                                              builder.addVertex(middle),
                                              builder.addVertex(middle + wing + lift)};
      for (std::size_t side = 0; step > 0 && side < 2; ++side) {
        builder.addTriangle(below[side], below[side + 1], here[side + 1], material);
        builder.addTriangle(below[side], here[side + 1], here[side], material);
      }
      below = here;
    }
    middle = middle + tangent * (shape.lengthM / steps);
  }
}

}  // namespace understory
