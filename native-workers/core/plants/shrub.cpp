// A shrub: a short bare trunk, stems that arch out of it to an ellipsoidal crown, and twigs with leaves
// on their outer ends only. Why hollow: real crowns are dark and bare inside, and a beam that passes the
// shell of leaves meets the trunk behind it (Goodin 2018, figure 8).
#include <algorithm>
#include <cmath>

#include "core/plants/generators.h"
#include "core/plants/leafGrowth.h"
#include "core/plants/stem.h"

namespace understory {

namespace {

constexpr std::uint32_t trunkSegments = 8;
constexpr std::uint32_t trunkSides = 12;
constexpr std::uint32_t stemSegments = 10;
constexpr std::uint32_t stemSides = 6;
constexpr std::uint32_t twigSegments = 3;
constexpr std::uint32_t twigSides = 3;
constexpr std::uint64_t stemStreams = std::uint64_t{1} << 32U;
constexpr std::uint64_t twigStreams = std::uint64_t{2} << 32U;

// A stem through points on a curve; `curve` maps 0 to 1 to metres.
template <typename Curve>
Stem stemAlong(const Curve& curve, std::uint32_t order, std::uint32_t segments, double radiusM,
               double tipShare) {
  Stem stem{order, 0.0, {}};
  StemFrame frame;
  for (std::uint32_t segment = 0; segment <= segments; ++segment) {
    const double along = static_cast<double>(segment) / segments;
    const Vec3d here = curve(along);
    const double reach = 0.5 / segments;
    frame = turnedTowards(frame, normalized(curve(along + reach) - curve(along - reach)));
    if (segment > 0) stem.lengthM += length(here - stem.points.back().positionM);
    stem.points.push_back({here, radiusM * (1.0 - (1.0 - tipShare) * along), frame});
  }
  return stem;
}

Stem growTrunk(const ShrubParameters& shrub, RandomStream& random) {
  // Slightly crooked.
  const double swayM = 0.6 * shrub.trunk.radiusM;
  const double phaseX = random.uniform(0.0, 2.0 * piRad);
  const double phaseY = random.uniform(0.0, 2.0 * piRad);
  const auto curve = [&](double along) {
    return Vec3d{swayM * (std::sin(phaseX + 5.0 * along) - std::sin(phaseX)),
                 swayM * (std::sin(phaseY + 4.0 * along) - std::sin(phaseY)),
                 shrub.trunk.heightM * along};
  };
  return stemAlong(curve, 0, trunkSegments, shrub.trunk.radiusM, 0.45);
}

// Stem n arches from the trunk to its own point of the crown's surface; the points are spread evenly
// over the ellipsoid by the golden angle.
Stem growStem(const ShrubParameters& shrub, const Stem& trunk, std::uint32_t n,
              RandomStream& random) {
  const double level =
      1.0 - 2.0 * (n + 0.5) / shrub.stems;  // 1: top of the crown, -1: its underside
  const double aroundRad = goldenAngleRad * n + random.uniform(-0.25, 0.25);
  const double ring = std::sqrt(1.0 - level * level);
  const double half = 0.5 * (shrub.heightM - shrub.crownBaseM);
  const double size = random.uniform(0.8, 0.93);  // twigs and leaves fill the rest
  const Vec3d tip{shrub.crownRadiusM * size * ring * std::cos(aroundRad),
                  shrub.crownRadiusM * size * ring * std::sin(aroundRad),
                  shrub.crownBaseM + half + half * size * level};
  const double heightShare = 0.5 + 0.5 * level;
  const double leaveM = shrub.crownBaseM + (shrub.trunk.heightM - shrub.crownBaseM) *
                                               (0.15 + 0.8 * heightShare) *
                                               random.uniform(0.8, 1.0);
  const Vec3d from = pointAlong(trunk, leaveM / shrub.trunk.heightM).positionM;
  // Quadratic Bezier curve: first out and up, then level.
  const Vec3d lift{0.0, 0.0, 0.22 * length(tip - from)};
  const Vec3d control = from * 0.5 + tip * 0.5 + lift;
  const auto curve = [&](double along) {
    const double rest = 1.0 - along;
    return from * (rest * rest) + control * (2.0 * rest * along) + tip * (along * along);
  };
  return stemAlong(curve, 1, stemSegments, shrub.stemRadiusM, 0.3);
}

Stem growTwig(const ShrubParameters& shrub, const StemPoint& at, RandomStream& random) {
  const StemFrame frame = turnedAboutX(turnedAboutZ(at.frame, random.uniform(0.0, 2.0 * piRad)),
                                       -random.uniform(30.0, 70.0) * radPerDeg);
  const double lengthM = shrub.twigLengthM * random.uniform(0.7, 1.2);
  const double riseM = random.uniform(0.0, 0.3) * lengthM;
  const auto curve = [&](double along) {
    return at.positionM + frame.z * (lengthM * along) + Vec3d{0.0, 0.0, riseM * along * along};
  };
  return stemAlong(curve, 2, twigSegments, 0.6 * at.radiusM, 0.3);
}

}  // namespace

std::uint64_t predictTriangles(const ShrubParameters& shrub) {
  const double twigs = static_cast<double>(shrub.stems) * shrub.twigsPerStem;
  const double leafTriangles =
      static_cast<double>(shrub.leaves.perTwig) * static_cast<double>(shrub.leaves.triangles);
  return static_cast<std::uint64_t>(
      trunkSides * (2 * trunkSegments - 1) + shrub.stems * stemSides * (2.0 * stemSegments - 1.0) +
      twigs * (twigSides * (2.0 * twigSegments - 1.0) + leafTriangles));
}

GrownPlant grow(const ShrubParameters& shrub, std::uint64_t seed, const MaterialIndices& materials,
                Meter& meter) {
  const std::uint16_t leaf = materialOf(materials, shrub.leaves.material);
  const std::uint16_t bark = materialOf(materials, shrub.barkMaterial);
  GrownPlant grown;
  grown.builder.meter = &meter;
  grown.barkMaterial = bark;
  RandomStream trunkRandom(seed, RandomPurpose::plant, 0);
  const Stem trunk = growTrunk(shrub, trunkRandom);
  addWood(grown.builder, trunk, trunkSides, bark);
  LeafGrowth leaves(grown, shrub.leaves, leaf, seed);
  for (std::uint32_t n = 0; n < shrub.stems; ++n) {
    RandomStream stemRandom(seed, RandomPurpose::plant, stemStreams + n);
    const Stem stem = growStem(shrub, trunk, n, stemRandom);
    addWood(grown.builder, stem, stemSides, bark);
    for (std::uint32_t m = 0; m < shrub.twigsPerStem; ++m) {
      RandomStream random(seed, RandomPurpose::plant,
                          twigStreams + std::uint64_t{n} * shrub.twigsPerStem + m);
      const double share = 1.0 - shrub.shellShare * (m + random.uniform()) / shrub.twigsPerStem;
      const Stem twig = growTwig(shrub, pointAlong(stem, share), random);
      addWood(grown.builder, twig, twigSides, bark);
      leaves.addAlong(twig, 0.1, random);
    }
  }
  leaves.finish();
  grown.builder.meter = nullptr;
  return grown;
}

}  // namespace understory
