// Leaf angles and leaf area density of plants against the laws and profiles that were asked for.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/error.h"
#include "core/plants/leafAngles.h"
#include "core/plants/leafProfile.h"
#include "core/scene/foliage.h"
#include "test/native/support/plants.h"

using namespace understory;
using nlohmann::json;

namespace {

constexpr double halfPi = 0.5 * piRad;
const std::array<LeafAngleLaw, 5> laws{LeafAngleLaw::spherical, LeafAngleLaw::planophile,
                                       LeafAngleLaw::erectophile, LeafAngleLaw::plagiophile,
                                       LeafAngleLaw::uniform};

json shrubWith(json leaves) {
  leaves["lengthM"] = 0.05;
  leaves["widthM"] = 0.03;
  leaves["triangles"] = 4;
  leaves["bendDeg"] = 20;
  leaves["material"] = "leaf";
  return {{"generator", "shrub"},
          {"heightM", 1.0},
          {"crownRadiusM", 0.4},
          {"crownBaseM", 0.3},
          {"trunk", {{"radiusM", 0.028}, {"heightM", 0.72}}},
          {"stems", 60},
          {"stemRadiusM", 0.006},
          {"twigsPerStem", 10},
          {"twigLengthM", 0.12},
          {"shellShare", 0.7},
          {"leaves", leaves},
          {"barkMaterial", "bark"}};
}

GrownPlant grownShrub(const json& leaves, std::uint64_t seed = 3) {
  return growPlant(plantOf(shrubWith(leaves)), seed, plantMaterials);
}

// Angles to the vertical of the normals of all leaves, one each (leaves are flat, of four triangles).
std::vector<double> leafAnglesOf(const GrownPlant& plant) {
  std::vector<double> angles;
  const Mesh& mesh = plant.builder.mesh;
  const std::uint16_t leaf = plantMaterials.at("leaf");
  std::size_t ofLeaf = 0;
  for (std::size_t index = 0; index < mesh.triangles.size(); ++index) {
    if (mesh.materialOfTriangle[index] != leaf || ofLeaf++ % 4 != 0) continue;
    const auto& [a, b, c] = mesh.triangles[index];
    const Vec3d normal = normalized(cross(toDouble(mesh.vertices[b]) - toDouble(mesh.vertices[a]),
                                          toDouble(mesh.vertices[c]) - toDouble(mesh.vertices[a])));
    angles.push_back(std::acos(std::min(1.0, std::abs(normal.z))));
  }
  return angles;
}

// The densities of the laws, integrated numerically: not the closed forms of the code.
double densityOf(LeafAngleLaw law, double t) {
  switch (law) {
    case LeafAngleLaw::spherical:
      return std::sin(t);
    case LeafAngleLaw::planophile:
      return 2.0 / piRad * (1.0 + std::cos(2.0 * t));
    case LeafAngleLaw::erectophile:
      return 2.0 / piRad * (1.0 - std::cos(2.0 * t));
    case LeafAngleLaw::plagiophile:
      return 2.0 / piRad * (1.0 - std::cos(4.0 * t));
    case LeafAngleLaw::uniform:
      return 2.0 / piRad;
  }
  return 0.0;
}

template <typename Function>
double midpointSum(const Function& f, double from, double to, int steps = 4000) {
  double sum = 0.0;
  for (int n = 0; n < steps; ++n) sum += f(from + (n + 0.5) * (to - from) / steps);
  return sum * (to - from) / steps;
}

}  // namespace

TEST_CASE("leaf angles: shares are integrals of the densities, and inverses of each other") {
  for (const LeafAngleLaw law : laws) {
    const auto density = [&](double t) { return densityOf(law, t); };
    for (const double t : {0.1, 0.5, 1.0, 1.3, halfPi}) {
      CHECK(leafAngleShare(law, t) == doctest::Approx(midpointSum(density, 0.0, t)).epsilon(1e-6));
    }
    for (const double share : {0.0, 1e-4, 0.3, 0.7, 0.9999, 1.0}) {
      CHECK(leafAngleShare(law, leafAngleAt(law, share)) == doctest::Approx(share).epsilon(1e-9));
    }
  }
}

TEST_CASE("G of each law at 0, 30 and 90 degrees is that of the published table") {
  // Columns: spherical, planophile, erectophile, plagiophile, uniform; to three digits.
  const std::array<std::array<double, 5>, 3> table{{{0.500, 0.849, 0.424, 0.679, 0.637},
                                                    {0.500, 0.738, 0.451, 0.599, 0.595},
                                                    {0.500, 0.270, 0.540, 0.432, 0.405}}};
  const std::array<double, 3> zeniths{0.0, piRad / 6.0, halfPi};
  for (std::size_t beam = 0; beam < zeniths.size(); ++beam) {
    for (std::size_t law = 0; law < laws.size(); ++law) {
      const double g = midpointSum(
          [&](double t) { return densityOf(laws[law], t) * leafProjection(zeniths[beam], t); }, 0.0,
          halfPi);
      CHECK(std::abs(g - table[beam][law]) < 0.0006);
    }
  }
}

TEST_CASE("what a leaf shows to a beam is the mean of |n·b| over azimuths") {
  for (const double zenith : {0.0, 0.4, 1.0, 1.4, halfPi}) {
    for (const double angle : {0.0, 0.3, 0.9, 1.5, halfPi}) {
      const double mean = midpointSum(
          [&](double azimuth) {
            return std::abs(std::cos(zenith) * std::cos(angle) +
                            std::sin(zenith) * std::sin(angle) * std::cos(azimuth)) /
                   piRad;
          },
          0.0, piRad);
      CHECK(leafProjection(zenith, angle) == doctest::Approx(mean).epsilon(1e-5));
    }
  }
}

TEST_CASE(
    "generated leaves follow each law: Kolmogorov and Smirnov's test, and G within its error") {
  for (const LeafAngleLaw law : laws) {
    CAPTURE(wordOf(law));
    const GrownPlant plant = grownShrub({{"perTwig", 10}, {"angles", std::string(wordOf(law))}});
    std::vector<double> angles = leafAnglesOf(plant);
    const auto n = static_cast<double>(angles.size());
    REQUIRE(angles.size() == 6000);
    std::sort(angles.begin(), angles.end());
    double largest = 0.0;
    for (std::size_t index = 0; index < angles.size(); ++index) {
      const double share = leafAngleShare(law, angles[index]);
      const auto at = static_cast<double>(index);
      largest = std::max({largest, share - at / n, (at + 1.0) / n - share});
    }
    // 1.63: exceeded by one sample in a hundred. Vertices are single precision: 1e-7 / 0.015 m of an angle.
    CHECK(largest < 1.63 / std::sqrt(n));
    for (std::size_t beam = 0; beam < projectionZenithsDeg.size(); ++beam) {
      const double zenithRad = projectionZenithsDeg[beam] * piRad / 180.0;
      const double expected = midpointSum(
          [&](double t) { return densityOf(law, t) * leafProjection(zenithRad, t); }, 0.0, halfPi);
      const double square = midpointSum(
          [&](double t) { return densityOf(law, t) * std::pow(leafProjection(zenithRad, t), 2.0); },
          0.0, halfPi);
      // Leaves differ in size: by up to 12 % in length and width, s² by 0.069² · 4 of its mean square.
      const double effective = n / (1.0 + 4.0 * 0.0693 * 0.0693);
      const double standardError = std::sqrt((square - expected * expected) / effective);
      CHECK(std::abs(plant.foliage.projections[beam] - expected) < 4.0 * standardError + 1e-6);
    }
    for (std::size_t bin = 0; bin < leafAngleBins; ++bin) {
      const double share =
          leafAngleShare(law, halfPi * (static_cast<double>(bin) + 1.0) / leafAngleBins) -
          leafAngleShare(law, halfPi * static_cast<double>(bin) / leafAngleBins);
      CHECK(std::abs(plant.foliage.angleShares[bin] - share) <
            4.5 * std::sqrt(share * (1.0 - share) * 1.02 / n) + 1e-6);
    }
  }
}

TEST_CASE("leaf area density by height is the profile's, within the number of leaves of a layer") {
  const LeafProfile profile{{0.3, 4.0}, {0.6, 15.0}, {1.0, 2.0}};
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const GrownPlant plant = grownShrub({{"perTwig", 40},
                                         {"angles", "spherical"},
                                         {"areaDensity", {{0.3, 4.0}, {0.6, 15.0}, {1.0, 2.0}}}},
                                        seed);
    const Foliage& foliage = plant.foliage;
    REQUIRE(foliage.layers.size() == crownLayers);
    double sumM2 = 0.0;
    // A leaf: two triangles, and a trapezium to either side of one cross section; measured, not computed.
    const double leafM2 = foliage.leafAreaM2 / static_cast<double>(leafAnglesOf(plant).size());
    double wantedSumM2 = 0.0;
    for (const CrownLayer& layer : foliage.layers) {
      const double wantedM2 =
          meanDensity(profile, layer.fromM, layer.toM) * layer.areaM2 * (layer.toM - layer.fromM);
      // As a Poisson number of leaves would vary; and the numbers of a layer and its neighbours are rounded.
      CHECK(std::abs(layer.leafAreaM2 - wantedM2) <
            3.0 * std::sqrt(wantedM2 * leafM2) + 2.0 * leafM2);
      sumM2 += layer.leafAreaM2;
      wantedSumM2 += wantedM2;
    }
    CHECK(sumM2 == doctest::Approx(foliage.leafAreaM2).epsilon(1e-9));
    CHECK(sumM2 == doctest::Approx(wantedSumM2).epsilon(0.02));
  }
}

TEST_CASE("a density that the twigs cannot bear is refused, with what they can") {
  CHECK_THROWS_WITH_AS(grownShrub({{"perTwig", 4}, {"areaDensity", {{0.0, 900.0}, {2.0, 900.0}}}}),
                       doctest::Contains("leaves.areaDensity: expected at most"), UnderstoryError);
  CHECK_THROWS_WITH_AS(grownShrub({{"perTwig", 4}, {"areaDensity", {{0.5, 1.0}, {0.5, 1.0}}}}),
                       doctest::Contains("rising heights"), UnderstoryError);
  CHECK_THROWS_WITH_AS(grownShrub({{"perTwig", 4}, {"angles", "upright"}}),
                       doctest::Contains("leaves.angles"), UnderstoryError);
}

TEST_CASE("area, crown and layers of known leaves") {
  // Two level squares of 2 by 3 m at 1 and 2 m, and an upright one of 1 by 1 m between.
  MeshBuilder builder;
  const auto quad = [&](Vec3d a, Vec3d b, Vec3d c, Vec3d d, std::uint16_t material) {
    const std::array<std::uint32_t, 4> corners{builder.addVertex(a), builder.addVertex(b),
                                               builder.addVertex(c), builder.addVertex(d)};
    builder.addTriangle(corners[0], corners[1], corners[2], material);
    builder.addTriangle(corners[0], corners[2], corners[3], material);
  };
  quad({0, 0, 1}, {2, 0, 1}, {2, 3, 1}, {0, 3, 1}, 1);
  quad({0, 0, 2}, {2, 0, 2}, {2, 3, 2}, {0, 3, 2}, 1);
  quad({0, 0, 1}, {1, 0, 1}, {1, 0, 2}, {0, 0, 2}, 1);
  quad({-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}, 2);
  const Foliage foliage = measureFoliage(builder.mesh, 1);
  CHECK(foliage.leafAreaM2 == doctest::Approx(13.0));
  CHECK(foliage.crownAreaM2 == doctest::Approx(6.0));
  CHECK(foliage.layers.front().fromM == doctest::Approx(1.0));
  CHECK(foliage.layers.back().toM == doctest::Approx(2.0));
  CHECK(foliage.layers.front().leafAreaM2 == doctest::Approx(6.0 + 1.0 / crownLayers));
  CHECK(foliage.layers[7].leafAreaM2 == doctest::Approx(1.0 / crownLayers));
  CHECK(foliage.layers.front().areaM2 == doctest::Approx(6.0));
  CHECK(foliage.layers[7].areaM2 == doctest::Approx(0.0));
  CHECK(foliage.angleShares.front() == doctest::Approx(12.0 / 13.0));
  CHECK(foliage.angleShares.back() == doctest::Approx(1.0 / 13.0));
  CHECK(foliage.projections[0] == doctest::Approx(12.0 / 13.0));
  // Edge on: the level ones show nothing, the upright one 2 / pi of itself.
  CHECK(foliage.projections[3] == doctest::Approx(2.0 / piRad / 13.0));
  CHECK(foliage.crownVolumeM3() == doctest::Approx(2.0 * 6.0 / crownLayers));
}

TEST_CASE("plants without the new inputs keep the bytes that they had before there were any") {
  const GrownPlant plant = growPlant(plantOf(shrubWith({{"perTwig", 3}})), 3, plantMaterials);
  // FNV-1a, computed with the code before.
  std::uint64_t hash = 1469598103934665603U;
  const auto add = [&hash](const auto& values) {
    for (const std::byte byte : std::as_bytes(std::span(values))) {
      hash = (hash ^ static_cast<std::uint64_t>(byte)) * 1099511628211U;
    }
  };
  add(plant.builder.mesh.vertices);
  add(plant.builder.mesh.triangles);
  add(plant.builder.mesh.materialOfTriangle);
  CHECK(hash == 0xfbaaeb5584e39a9eU);
}
