// A tuft of grass: blades in a disc, thicker in its middle, leaning outwards, tall ones in the middle.
// Why patches and not blades are what a scene places: two million instances of single blades cost ten
// times the memory and a quarter of the speed.
#include <array>
#include <cmath>

#include "core/plants/blade.h"
#include "core/plants/generators.h"
#include "core/random/philox.h"

namespace understory {

std::uint64_t predictTriangles(const GrassPatchParameters& grass) {
  return 4 * std::uint64_t{grass.blades} * grass.segments;
}

GrownPlant grow(const GrassPatchParameters& grass, std::uint64_t seed,
                const MaterialIndices& materials, Meter& meter) {
  const auto& [blades, patchRadiusM, heightM, widthM, leanDeg, bendDeg, segments, foldRad,
               materialName] = grass;
  const std::uint16_t material = materialOf(materials, materialName);
  GrownPlant grown;
  grown.builder.meter = &meter;
  grown.blades = blades;
  for (std::uint32_t n = 0; n < blades; ++n) {
    RandomStream random(seed, RandomPurpose::plant, n);
    // Denser in the middle than a uniform disc, whose exponent would be 0.5.
    const double radiusShare = std::pow(random.uniform(), 0.62);
    const double azimuthRad = random.uniform(0.0, 2.0 * piRad);
    BladeShape shape;
    shape.baseM =
        Vec3d{std::cos(azimuthRad), std::sin(azimuthRad), 0.0} * (patchRadiusM * radiusShare);
    shape.azimuthRad = azimuthRad + random.uniform(-1.3, 1.3);
    // Outer blades are shorter and lean further.
    const double vigour = (1.0 - 0.45 * radiusShare) * random.uniform(0.55, 1.0);
    shape.lengthM = heightM[0] + (heightM[1] - heightM[0]) * vigour;
    shape.widthM = random.uniform(widthM[0], widthM[1]);
    const double leanShare = 0.35 * random.uniform() + 0.65 * radiusShare * random.uniform();
    shape.leanRad = (leanDeg[0] + (leanDeg[1] - leanDeg[0]) * leanShare) * radPerDeg;
    shape.bendRad = random.uniform(bendDeg[0], bendDeg[1]) * radPerDeg;
    shape.twistRad = random.uniform(-0.8, 0.8);
    shape.foldRad = foldRad;
    shape.segments = segments;
    addBlade(grown.builder, shape, material);
  }
  grown.builder.meter = nullptr;
  grown.foliage = measureFoliage(grown.builder.mesh, material);
  return grown;
}

}  // namespace understory
