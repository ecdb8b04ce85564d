// The triangles of a leaf on both sides of its midrib.
#include "core/plants/leaf.h"

#include <array>
#include <cmath>

#include "core/plants/generators.h"
#include "core/plants/leafAngles.h"

namespace understory {

namespace {

constexpr double foldRad = 24.0 * radPerDeg;  // between the two halves of a leaf

// Width at a share of the length, as a share of the widest: broadest a little below the middle.
double leafWidthShare(double along) { return std::sin(piRad * std::pow(along, 0.85)); }

// Flat, its normal at an angle of the law, its direction as near to what it was as that allows.
void turnByLaw(LeafShape& shape, LeafAngleLaw law, RandomStream& random) {
  const double angleRad = leafAngleAt(law, random.uniform());
  const double azimuthRad = random.uniform(0.0, 2.0 * piRad);
  const Vec3d normal{std::sin(angleRad) * std::cos(azimuthRad),
                     std::sin(angleRad) * std::sin(azimuthRad), std::cos(angleRad)};
  Vec3d direction = shape.direction - normal * dot(shape.direction, normal);
  if (length(direction) < 1e-3) {
    direction = Vec3d{-std::sin(azimuthRad), std::cos(azimuthRad), 0.0};
  }
  shape.direction = normalized(direction);
  shape.facing = normal;
  shape.isFlat = true;
  shape.bendRad = 0.0;
}

}  // namespace

void addLeaf(MeshBuilder& builder, const LeafShape& shape, std::uint32_t triangles,
             std::uint16_t material) {
  const Vec3d across = normalized(cross(shape.direction, shape.facing));
  const std::uint32_t stations = triangles / 4;  // cross sections between base and tip
  const std::uint32_t base = builder.addVertex(shape.baseM);
  const double stepM = shape.lengthM / (stations + 1);
  std::array<std::uint32_t, 3> below{base, base, base};  // right edge, midrib, left edge
  Vec3d midrib = shape.baseM;
  for (std::uint32_t station = 1; station <= stations + 1; ++station) {
    const double along = static_cast<double>(station) / (stations + 1);
    const double bentRad = shape.bendRad * (along - 0.5 / (stations + 1));
    const Vec3d upper = cross(across, shape.direction);
    const Vec3d tangent = shape.direction * std::cos(bentRad) - upper * std::sin(bentRad);
    midrib = midrib + tangent * stepM;
    if (station > stations) {
      const std::uint32_t tip = builder.addVertex(midrib);
      builder.addTriangle(below[0], tip, below[1], material);
      builder.addTriangle(below[1], tip, below[2], material);
      return;
    }
    const double half = 0.5 * shape.widthM * leafWidthShare(along);
    const double cosine = shape.isFlat ? 1.0 : std::cos(0.5 * foldRad);
    const double sine = shape.isFlat ? 0.0 : std::sin(0.5 * foldRad);
    const Vec3d wing = across * (half * cosine);
    const Vec3d lift = cross(across, tangent) * (half * sine);
    const std::array<std::uint32_t, 3> here{builder.addVertex(midrib + wing + lift),
                                            builder.addVertex(midrib),
                                            builder.addVertex(midrib - wing + lift)};
    if (station == 1) {
      builder.addTriangle(base, here[0], here[1], material);
      builder.addTriangle(base, here[1], here[2], material);
    } else {
      for (std::size_t side = 0; side < 2; ++side) {
        builder.addTriangle(below[side], here[side], here[side + 1], material);
        builder.addTriangle(below[side], here[side + 1], below[side + 1], material);
      }
    }
    below = here;
  }
}

void forEachLeafAlong(const Stem& twig, double fromShare, const LeafParameters& leaves,
                      RandomStream& random, const std::function<void(const LeafShape&)>& use) {
  double aroundRad = random.uniform(0.0, 2.0 * piRad);
  for (std::uint32_t n = 0; n < leaves.perTwig; ++n) {
    const double share = fromShare + (1.0 - fromShare) * (n + 1.0) / leaves.perTwig;
    const StemPoint point = pointAlong(twig, share);
    aroundRad += goldenAngleRad + random.uniform(-0.3, 0.3);
    // Leaves spread wide at the foot of a twig and point ahead at its tip.
    const double downRad = (75.0 - 45.0 * share + random.uniform(-12.0, 12.0)) * radPerDeg;
    const StemFrame frame = turnedAboutX(turnedAboutZ(point.frame, aroundRad), downRad);
    const Vec3d towardsLight{random.uniform(-0.55, 0.55), random.uniform(-0.55, 0.55), 1.0};
    const double size = random.uniform(0.88, 1.12);
    LeafShape shape;
    shape.baseM = point.positionM;
    // A leaf hangs a little by its weight.
    shape.direction = normalized(frame.z + Vec3d{0.0, 0.0, -0.25});
    shape.facing = towardsLight;
    shape.lengthM = leaves.lengthM * size;
    shape.widthM = leaves.widthM * size;
    shape.bendRad = leaves.bendRad * random.uniform(0.5, 1.5);
    if (leaves.angles) turnByLaw(shape, *leaves.angles, random);
    use(shape);
  }
}

}  // namespace understory
