// Sized plants: height, diameter, crown and leaf area against what was asked for, leaf angles against their law.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/plants/leafAngles.h"
#include "core/plants/sizedSkeleton.h"
#include "test/native/support/meshMeasures.h"
#include "test/native/support/plants.h"

using namespace understory;
using nlohmann::json;

namespace {

json sizedLevel(int count, json angleDeg, double lengthRatio) {
  return {{"count", count},         {"whorl", 1},
          {"angleDeg", angleDeg},   {"lengthRatio", lengthRatio},
          {"lengthVariation", 0.2}, {"sag", 0.05},
          {"spray", 0.5},           {"bareShare", 0.1},
          {"slenderness", 0.012},   {"bend", 0.03},
          {"segments", 4},          {"sides", 3}};
}

// A spruce of 20 m, diameter 0.25 m.
json conifer() {
  json boughs = sizedLevel(90, {100, 45}, 1.0);
  boughs["whorl"] = 5;
  return {{"generator", "sized-plant"},
          {"heightM", 20.0},
          {"diameterM", 0.25},
          {"diameterAtM", 1.3},
          {"crownBaseM", 6.0},
          {"crownWidthM", 3.7},
          {"leafAreaM2", 75.0},
          {"leafShare", 1.0},
          {"crown", {{"widestAt", 0.1}, {"topPower", 1.0}, {"basePower", 2.0}}},
          {"stems",
           {{"count", 1},
            {"footRadiusM", 0.0},
            {"topShare", 1.0},
            {"flare", 0.3},
            {"bend", 0.005},
            {"segments", 16},
            {"sides", 12},
            {"deadBoughs", 10}}},
          {"levels", {boughs, sizedLevel(20, {65, 45}, 0.4)}},
          {"leaves",
           {{"lengthM", 0.1},
            {"widthM", 0.03},
            {"triangles", 2},
            {"angles", "spherical"},
            {"forwardDeg", 50},
            {"petiole", 0.0},
            {"material", "leaf"}}},
          {"barkMaterial", "bark"}};
}

json changed(json plant, const json& changes) {
  plant.merge_patch(changes);
  return plant;
}

// A beech of 24 m, diameter 0.35 m.
json broadleaf() {
  json plant = changed(conifer(), json::parse(R"({
    "heightM": 24, "diameterM": 0.35, "crownBaseM": 9, "crownWidthM": 7.2, "leafAreaM2": 240,
    "stems": { "topShare": 0.5, "deadBoughs": 0 },
    "leaves": { "lengthM": 0.07, "widthM": 0.045, "triangles": 4, "angles": "planophile" } })"));
  plant["crown"] = {{"widestAt", 0.5}, {"topPower", 2.2}, {"basePower", 2.0}};
  plant["levels"] = {sizedLevel(22, {65, 20}, 1.0), sizedLevel(14, {55, 35}, 0.45),
                     sizedLevel(10, {55, 35}, 0.4)};
  return plant;
}

// Stems of 2 m side by side, leaves along them.
json reed() {
  return changed(conifer(), json::parse(R"({
    "heightM": 2, "diameterM": 0.008, "diameterAtM": 0.2, "crownBaseM": 0.3, "crownWidthM": 1.2,
    "leafAreaM2": 4, "stems": { "count": 40, "footRadiusM": 0.4, "deadBoughs": 0 }, "levels": [],
    "leaves": { "lengthM": 0.35, "widthM": 0.02, "angles": "erectophile" } })"));
}

// One stem of 2.3 m with long leaves.
json maize() {
  return changed(reed(), json::parse(R"({
    "heightM": 2.3, "diameterM": 0.025, "diameterAtM": 0.1, "crownBaseM": 0.2, "crownWidthM": 1,
    "leafAreaM2": 0.65, "stems": { "count": 1, "footRadiusM": 0 },
    "leaves": { "lengthM": 0.6, "widthM": 0.085, "angles": "plagiophile" } })"));
}

// Diameter of the circle of the area that a plane cuts out of the wood near the axis (Green's theorem over the cut
// triangles of the stem's closed surface).
double diameterAtM(const Mesh& mesh, std::uint16_t barkMaterial, double zM, double withinM) {
  double twiceM2 = 0.0;
  for (std::size_t index = 0; index < mesh.triangles.size(); ++index) {
    if (mesh.materialOfTriangle[index] != barkMaterial) continue;
    const auto corners = cornersOf(mesh, index);
    std::vector<Vec3d> cut;
    bool isRising = false;
    for (std::size_t n = 0; n < 3; ++n) {
      const Vec3d a = corners[n];
      const Vec3d b = corners[(n + 1) % 3];
      if ((a.z < zM) == (b.z < zM)) continue;
      cut.push_back(a + (b - a) * ((zM - a.z) / (b.z - a.z)));
      if (cut.size() == 1) isRising = a.z < zM;
    }
    if (cut.size() != 2 || std::hypot(cut[0].x, cut[0].y) > withinM) continue;
    const double turn = cut[0].x * cut[1].y - cut[1].x * cut[0].y;
    twiceM2 += isRising ? -turn : turn;
  }
  return 2.0 * std::sqrt(0.5 * std::abs(twiceM2) / piRad);
}

std::vector<double> normalAnglesOf(const Mesh& mesh, std::uint16_t leaf, std::size_t perLeaf) {
  std::vector<double> angles;
  std::size_t ofLeaf = 0;
  for (std::size_t index = 0; index < mesh.triangles.size(); ++index) {
    if (mesh.materialOfTriangle[index] != leaf || ofLeaf++ % perLeaf != 0) continue;
    const auto [a, b, c] = cornersOf(mesh, index);
    angles.push_back(std::acos(std::min(1.0, std::abs(normalized(cross(b - a, c - a)).z))));
  }
  return angles;
}

// Kolmogorov and Smirnov's distance times the root of the number, which exceeds 1.63 with probability 0.01.
double kolmogorov(std::vector<double> angles, LeafAngleLaw law) {
  std::sort(angles.begin(), angles.end());
  const auto n = static_cast<double>(angles.size());
  double distance = 0.0;
  for (std::size_t index = 0; index < angles.size(); ++index) {
    const double share = leafAngleShare(law, angles[index]);
    distance = std::max({distance, std::abs(share - static_cast<double>(index) / n),
                         std::abs(share - static_cast<double>(index + 1) / n)});
  }
  return distance * std::sqrt(n);
}

}  // namespace

TEST_CASE("a sized plant is as large and leafy as asked for, within 2 %") {
  for (const json& asked : {conifer(), broadleaf(), reed(), maize()}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const auto sized = std::get<SizedPlantParameters>(plantOf(asked));
      const GrownPlant grown = growPlant(plantOf(asked), seed, plantMaterials);
      const Mesh& mesh = grown.builder.mesh;
      const Boundsf bounds = boundsOf(mesh);
      CHECK(bounds.max.z == doctest::Approx(sized.heightM).epsilon(0.01));
      CHECK(std::abs(bounds.min.z) < 0.01);
      CHECK(grown.foliage.leafAreaM2 == doctest::Approx(sized.leafAreaM2).epsilon(0.001));
      CHECK(grown.foliage.layers.front().fromM == doctest::Approx(sized.crownBaseM).epsilon(0.01));
      CHECK(2.0 * std::sqrt(grown.foliage.crownAreaM2 / piRad) ==
            doctest::Approx(sized.crownWidthM).epsilon(0.01));
      CHECK(grown.builder.degenerateTriangles == 0);
      if (sized.stems.count > 1) continue;
      CHECK(diameterAtM(mesh, 2, sized.diameterAtM, 2.0 * sized.diameterM) ==
            doctest::Approx(sized.diameterM).epsilon(0.01));
    }
  }
}

TEST_CASE("leaf angles of sized plants have their law, which others do not fit") {
  for (const json& asked : {conifer(), broadleaf(), reed()}) {
    const auto sized = std::get<SizedPlantParameters>(plantOf(asked));
    const GrownPlant grown = growPlant(plantOf(asked), 7, plantMaterials);
    const auto angles = normalAnglesOf(grown.builder.mesh, 1, sized.leaves.triangles);
    CHECK(kolmogorov(angles, sized.leaves.angles) < 1.63);
    CHECK(kolmogorov(angles, LeafAngleLaw::uniform) > 1.63);
  }
}

TEST_CASE("sized plants repeat for one seed and stay within the predicted triangles") {
  for (const json& asked : {conifer(), broadleaf(), reed()}) {
    const Plant plant = plantOf(asked);
    const GrownPlant first = growPlant(plant, 5, plantMaterials);
    CHECK(isSame(first.builder.mesh, growPlant(plant, 5, plantMaterials).builder.mesh));
    CHECK_FALSE(isSame(first.builder.mesh, growPlant(plant, 6, plantMaterials).builder.mesh));
    CHECK(first.builder.mesh.triangles.size() <= predictPlantTriangles(plant));
    CHECK(first.builder.mesh.triangles.size() * 3 > predictPlantTriangles(plant));
  }
}

TEST_CASE(
    "a stem is half of diameterM thick at diameterAtM, of one slope where paraboloid and cone meet") {
  const auto sized = std::get<SizedPlantParameters>(plantOf(conifer()));
  CHECK(stemRadiusAt(sized, 1.3) == doctest::Approx(0.125));
  CHECK(stemRadiusAt(sized, 20.0) == 0.0);
  const double stepM = 1e-4;
  const double below = stemRadiusAt(sized, 6.0 - stepM) - stemRadiusAt(sized, 6.0);
  const double above = stemRadiusAt(sized, 6.0) - stemRadiusAt(sized, 6.0 + stepM);
  CHECK(below == doctest::Approx(above).epsilon(1e-3));
  CHECK(stemRadiusAt(sized, 13.0) == doctest::Approx(0.5 * stemRadiusAt(sized, 6.0)));
}

TEST_CASE("a plant in winter has the leaf area of its share and the height of summer") {
  json bare = broadleaf();
  bare["leafShare"] = 0.0;
  const GrownPlant winter = growPlant(plantOf(bare), 1, plantMaterials);
  CHECK(winter.foliage.leafAreaM2 == 0.0);
  bare["leafShare"] = 0.1;
  const GrownPlant dead = growPlant(plantOf(bare), 1, plantMaterials);
  CHECK(dead.foliage.leafAreaM2 == doctest::Approx(24.0).epsilon(0.001));
  CHECK(boundsOf(winter.builder.mesh).max.z > 0.9F * 24.0F);
}

TEST_CASE("a sized plant that cannot be is refused with its field") {
  json plant = conifer();
  plant["crownBaseM"] = 21.0;
  CHECK_THROWS_WITH_AS(plantOf(plant), doctest::Contains("crownBaseM"), UnderstoryError);
  plant = conifer();
  plant["diameterAtM"] = 20.0;
  CHECK_THROWS_WITH_AS(plantOf(plant), doctest::Contains("diameterAtM"), UnderstoryError);
  plant = conifer();
  plant["leaves"]["lengthM"] = 30.0;
  plant["leaves"]["widthM"] = 10.0;
  CHECK_THROWS_WITH_AS(growPlant(plantOf(plant), 1, plantMaterials),
                       doctest::Contains("leaves.lengthM"), UnderstoryError);
}
