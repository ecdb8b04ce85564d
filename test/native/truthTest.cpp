// The truth of plants against closed forms, an independent cut of triangles, and itself on other threads.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <map>

#include "core/plants/stem.h"
#include "core/random/philox.h"
#include "core/scene/primitives.h"
#include "test/native/support/plants.h"
#include "test/native/support/scenes.h"
#include "truth/gapTruth.h"
#include "truth/plantTruth.h"
#include "truth/voxelTruth.h"

using namespace understory;

namespace {

Material partMaterial(PlantPart part) {
  Material material{"part", 0.5, {}};
  material.part = part;
  return material;
}

std::vector<Wood::Triangle> trianglesOf(const Mesh& mesh) {
  std::vector<Wood::Triangle> triangles;
  for (const auto& [a, b, c] : mesh.triangles) {
    triangles.push_back({mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]});
  }
  return triangles;
}

// Area of a regular polygon with corners on a circle.
double polygonM2(unsigned sides, double radiusM) {
  return 0.5 * sides * std::sin(2.0 * piRad / sides) * radiusM * radiusM;
}

// A cone on an open ring at z = 0.
Mesh coneMesh(unsigned sides, float radiusM, float heightM, std::uint16_t material) {
  Mesh mesh;
  for (unsigned side = 0; side < sides; ++side) {
    const double aroundRad = 2.0 * piRad * side / sides;
    mesh.vertices.push_back(toFloat(Vec3d{std::cos(aroundRad), std::sin(aroundRad), 0.0} *
                                    static_cast<double>(radiusM)));
  }
  mesh.vertices.push_back({0.0F, 0.0F, heightM});
  for (unsigned side = 0; side < sides; ++side)
    mesh.triangles.push_back({side, (side + 1) % sides, sides});
  mesh.materialOfTriangle.assign(mesh.triangles.size(), material);
  return mesh;
}

void addQuad(Mesh& mesh, Vec3f at, float halfSideM, std::uint16_t material) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const auto& [x, y] :
       {std::array{-1.0F, -1.0F}, {1.0F, -1.0F}, {1.0F, 1.0F}, {-1.0F, 1.0F}}) {
    mesh.vertices.push_back({at.x + x * halfSideM, at.y + y * halfSideM, at.z});
  }
  mesh.triangles.push_back({first, first + 1, first + 2});
  mesh.triangles.push_back({first, first + 2, first + 3});
  mesh.materialOfTriangle.insert(mesh.materialOfTriangle.end(), 2, material);
}

Mesh quadMesh(Vec3f at, float halfSideM, std::uint16_t material) {
  Mesh mesh;
  addQuad(mesh, at, halfSideM, material);
  return mesh;
}

Mesh randomTriangles(std::size_t count, double extentM, double sizeM) {
  Mesh mesh;
  RandomStream random(5, RandomPurpose::plant, 1);
  for (std::uint32_t index = 0; index < count; ++index) {
    const Vec3d at{random.uniform(0.0, extentM), random.uniform(0.0, extentM),
                   random.uniform(0.0, extentM)};
    for (unsigned corner = 0; corner < 3; ++corner) {
      mesh.vertices.push_back(
          toFloat(at + Vec3d{random.uniform(-sizeM, sizeM), random.uniform(-sizeM, sizeM),
                             random.uniform(-sizeM, sizeM)}));
    }
    mesh.triangles.push_back({3 * index, 3 * index + 1, 3 * index + 2});
  }
  mesh.materialOfTriangle.assign(count, 0);
  return mesh;
}

using Polygon = std::vector<Vec3d>;

double polygonArea(const Polygon& polygon) {
  Vec3d twice;
  for (std::size_t index = 2; index < polygon.size(); ++index) {
    twice = twice + cross(polygon[index - 1] - polygon[0], polygon[index] - polygon[0]);
  }
  return 0.5 * length(twice);
}

// The two sides of a polygon at a plane of an axis.
std::array<Polygon, 2> splitAt(const Polygon& polygon, double Vec3d::*axis, double plane) {
  std::array<Polygon, 2> sides;
  for (std::size_t index = 0; index < polygon.size(); ++index) {
    const Vec3d a = polygon[index];
    const Vec3d b = polygon[(index + 1) % polygon.size()];
    sides[a.*axis < plane ? 0 : 1].push_back(a);
    if ((a.*axis < plane) == (b.*axis < plane)) continue;
    const Vec3d cut = a + (b - a) * ((plane - a.*axis) / (b.*axis - a.*axis));
    for (Polygon& side : sides) side.push_back(cut);
  }
  return sides;
}

using VoxelAreas = std::map<std::array<long, 3>, double>;

// Another cut: a polygon is halved at planes of z, then y, then x until it lies in one voxel, which its middle says.
void addByHalving(const Polygon& polygon, double stepM, VoxelAreas& areas) {
  if (polygon.size() < 3) return;
  for (double Vec3d::*axis : {&Vec3d::z, &Vec3d::y, &Vec3d::x}) {
    double low = polygon[0].*axis;
    double high = low;
    for (const Vec3d corner : polygon) {
      low = std::min(low, corner.*axis);
      high = std::max(high, corner.*axis);
    }
    const double first = std::floor(low / stepM) + 1.0;
    const double last = std::ceil(high / stepM) - 1.0;
    if (first > last) continue;
    for (const Polygon& side : splitAt(polygon, axis, std::floor(0.5 * (first + last)) * stepM)) {
      addByHalving(side, stepM, areas);
    }
    return;
  }
  Vec3d middle;
  for (const Vec3d corner : polygon)
    middle = middle + corner * (1.0 / static_cast<double>(polygon.size()));
  const auto indexOf = [&](double at) { return std::lround(std::floor(at / stepM)); };
  areas[{indexOf(middle.x), indexOf(middle.y), indexOf(middle.z)}] += polygonArea(polygon);
}

VoxelTruth voxelsOf(const TracedScene& scene, const VoxelSpace& grid) {
  return voxelTruth(scene, grid, {});
}

PlantTruthRows plantRowsOf(const TracedScene& scene) {
  const PlantTruth truth(scene.scene(),
                         [&](std::size_t model) { return scene.triangles().meshOf(model); }, {});
  PlantTruthRows rows;
  for (const Instance& instance : scene.scene().instances) truth.addRow(instance, rows);
  return rows;
}

}  // namespace

TEST_CASE("wood has the area, volume and section of its pieces, open or closed") {
  constexpr double radiusM = 0.2;
  constexpr double heightM = 3.0;
  for (const bool hasCaps : {true, false}) {
    const Wood wood(trianglesOf(makeCylinder(radiusM, heightM, 12, hasCaps, 0).mesh));
    // Corners are single precision.
    CHECK(wood.volumeM3().value() ==
          doctest::Approx(polygonM2(12, radiusM) * heightM).epsilon(1e-6));
    CHECK(wood.trunkDiameterM(1.0).value() ==
          doctest::Approx(2.0 * std::sqrt(polygonM2(12, radiusM) / piRad)).epsilon(1e-6));
    CHECK_FALSE(wood.trunkDiameterM(3.1).has_value());
  }
  const Wood cone(trianglesOf(coneMesh(24, 0.3F, 6.0F, 0)));
  CHECK(cone.volumeM3().value() == doctest::Approx(polygonM2(24, 0.3) * 2.0).epsilon(1e-6));
  const Wood flat(trianglesOf(quadMesh({0.0F, 0.0F, 1.0F}, 0.5F, 0)));
  CHECK_FALSE(flat.volumeM3().has_value());
  CHECK(flat.areaM2() == doctest::Approx(1.0));
}

TEST_CASE("two pieces of wood add up, and the lower one is the trunk") {
  std::vector<Wood::Triangle> both = trianglesOf(coneMesh(16, 0.2F, 4.0F, 0));
  Mesh branch = coneMesh(16, 0.05F, 1.0F, 0);
  for (Vec3f& vertex : branch.vertices) vertex = vertex + Vec3f{1.0F, 0.0F, 1.0F};
  for (const Wood::Triangle& triangle : trianglesOf(branch)) both.push_back(triangle);
  const Wood wood(both);
  const double expectedM3 = polygonM2(16, 0.2) * 4.0 / 3.0 + polygonM2(16, 0.05) / 3.0;
  CHECK(wood.volumeM3().value() == doctest::Approx(expectedM3).epsilon(1e-6));
  CHECK(wood.trunkDiameterM(1.3).value() ==
        doctest::Approx(2.0 * std::sqrt(polygonM2(16, 0.2 * (1.0 - 1.3 / 4.0)) / piRad))
            .epsilon(1e-6));
}

TEST_CASE("a tapered stem of many rings has its diameter at every height") {
  constexpr double heightM = 12.0;
  constexpr unsigned rings = 60;
  Stem stem;
  for (unsigned ring = 0; ring <= rings; ++ring) {
    const double share = static_cast<double>(ring) / rings;
    stem.points.push_back({{2.0, -1.0, heightM * share}, 0.3 * (1.0 - share), {}});
  }
  MeshBuilder builder;
  addWood(builder, stem, 16, 0);
  const Wood wood(trianglesOf(builder.mesh));
  for (double atM = 0.01; atM < heightM - 0.2; atM += 0.037) {
    const double sectionM2 = polygonM2(16, 0.3 * (1.0 - atM / heightM));
    CHECK(wood.trunkDiameterM(atM).value() ==
          doctest::Approx(2.0 * std::sqrt(sectionM2 / piRad)).epsilon(1e-5));
  }
  CHECK(wood.volumeM3().value() ==
        doctest::Approx(polygonM2(16, 0.3) * heightM / 3.0).epsilon(1e-5));
  CHECK(length(wood.footM().value() - Vec3d{2.0, -1.0, 0.0}) < 1e-6);
}

TEST_CASE("the diameter of a scaled plant is that at 1.3 m of the scaled one") {
  SceneMaker maker;
  const std::uint16_t wood = maker.material(partMaterial(PlantPart::wood));
  const std::uint16_t leaf = maker.material(partMaterial(PlantPart::leaf));
  const std::uint16_t other = maker.material(0.5F);
  Mesh tree = coneMesh(32, 0.2F, 10.0F, wood);
  addQuad(tree, {0.0F, 0.0F, 4.0F}, 1.0F, leaf);
  addQuad(tree, {0.0F, 0.0F, 12.0F}, 1.0F, leaf);
  addQuad(tree, {0.0F, 0.0F, 20.0F}, 1.0F, other);
  const std::uint16_t model = maker.model(tree);
  maker.place(model, {3.0, 4.0, 5.0}, rotationAbout({0.0, 0.0, 1.0}, 1.0), 2.0);
  maker.place(maker.model(boxMesh(1.0F, other)), {});
  maker.place(model, {0.0, 0.0, 0.0}, {}, 0.1);
  const PlantTruthRows rows = plantRowsOf(*maker.build());
  REQUIRE(rows.size() == 2);
  CHECK(rows.instanceId[1] == 3);
  CHECK(rows.zM[0] == doctest::Approx(5.0));
  CHECK(rows.xM[0] == doctest::Approx(3.0));
  const double sectionM2 = polygonM2(32, 0.2 * (1.0 - 0.65 / 10.0));
  CHECK(rows.dbhM[0] == doctest::Approx(4.0 * std::sqrt(sectionM2 / piRad)).epsilon(1e-6));
  CHECK(std::isnan(rows.dbhM[1]));  // 1 m tall
  CHECK(rows.heightM[0] == doctest::Approx(24.0));
  CHECK(rows.crownBaseM[0] == doctest::Approx(8.0));
  CHECK(rows.crownWidthM[0] == doctest::Approx(2.0 * std::sqrt(16.0 / piRad)));
  CHECK(rows.leafAreaM2[0] == doctest::Approx(32.0));
  CHECK(rows.woodVolumeM3[0] ==
        doctest::Approx(8.0 * polygonM2(32, 0.2) * 10.0 / 3.0).epsilon(1e-6));
}

TEST_CASE("a grown shrub has the leaf area of its foliage, and the rest is wood") {
  const nlohmann::json leaves{{"perTwig", 4},   {"lengthM", 0.05}, {"widthM", 0.03},
                              {"triangles", 4}, {"bendDeg", 0},    {"material", "leaf"}};
  const nlohmann::json shrub{{"generator", "shrub"},
                             {"heightM", 1.6},
                             {"crownRadiusM", 0.5},
                             {"crownBaseM", 0.4},
                             {"trunk", {{"radiusM", 0.03}, {"heightM", 1.5}}},
                             {"stems", 20},
                             {"stemRadiusM", 0.006},
                             {"twigsPerStem", 5},
                             {"twigLengthM", 0.12},
                             {"shellShare", 0.7},
                             {"leaves", leaves},
                             {"barkMaterial", "bark"}};
  SceneMaker maker;
  for (int material = 0; material < 3; ++material) maker.material(0.5F);
  const GrownPlant plant = growPlant(plantOf(shrub), 7, plantMaterials);
  double allM2 = 0.0;
  for (const Wood::Triangle& t : trianglesOf(plant.builder.mesh)) {
    allM2 += 0.5 * length(cross(toDouble(t[1]) - toDouble(t[0]), toDouble(t[2]) - toDouble(t[0])));
  }
  maker.place(maker.plant(plant), {1.0, 2.0, 3.0});
  maker.place(maker.model(plant.builder.mesh), {});
  const PlantTruthRows rows = plantRowsOf(*maker.build());
  REQUIRE(rows.size() == 1);  // the other is a mesh whose materials are no part of a plant
  CHECK(rows.leafAreaM2[0] == doctest::Approx(plant.foliage.leafAreaM2).epsilon(1e-9));
  CHECK(rows.crownVolumeM3[0] == doctest::Approx(plant.foliage.crownVolumeM3()).epsilon(1e-9));
  CHECK(rows.leafAreaM2[0] + rows.woodAreaM2[0] == doctest::Approx(allM2).epsilon(1e-9));
  CHECK(rows.zM[0] == 3.0);
  // The trunk, of twelve sides, is 0.45 as thick at its top as at its foot; 1.3 m of 1.5 m up.
  const double radiusM = 0.03 * (1.0 - 0.55 * 1.3 / 1.5);
  CHECK(rows.dbhM[0] ==
        doctest::Approx(2.0 * std::sqrt(polygonM2(12, radiusM) / piRad)).epsilon(0.01));
  // Stems and twigs add to a cone frustum of the trunk.
  CHECK(rows.woodVolumeM3[0] > polygonM2(12, 0.03) * 1.5 * (1.0 + 0.45 + 0.45 * 0.45) / 3.0);
}

TEST_CASE("voxels have the areas of an independent cut, and the sum of all triangles") {
  SceneMaker maker;
  maker.material(partMaterial(PlantPart::leaf));
  const Mesh mesh = randomTriangles(2000, 4.0, 0.6);
  maker.place(maker.model(mesh), {0.3, -0.2, 0.1},
              rotationAbout(normalized(Vec3d{1.0, 2.0, 3.0}), 0.7), 1.5);
  const auto scene = maker.build();
  constexpr double stepM = 0.25;
  const VoxelSpace grid{{-20.0, -20.0, -20.0}, {stepM, stepM, stepM}, {160, 160, 160}};
  const VoxelTruth truth = voxelsOf(*scene, grid);
  VoxelAreas expected;
  double sumM2 = 0.0;
  const Instance& instance = scene->scene().instances[0];
  const Placement placement{instance.positionM, instance.rotation, instance.scale};
  for (const auto& triangle : mesh.triangles) {
    Polygon polygon;
    for (const std::uint32_t corner : triangle) {
      polygon.push_back(worldFromModel(placement, toDouble(mesh.vertices[corner])));
    }
    sumM2 += polygonArea(polygon);
    addByHalving(polygon, stepM, expected);
  }
  CHECK(truth.sumM2[0] == doctest::Approx(sumM2).epsilon(1e-9));
  CHECK(truth.sumM2[1] == 0.0);
  double worstM2 = 0.0;
  for (const auto& [voxel, areaM2] : expected) {
    const std::array at{static_cast<std::uint32_t>(voxel[0] + 80),
                        static_cast<std::uint32_t>(voxel[1] + 80),
                        static_cast<std::uint32_t>(voxel[2] + 80)};
    worstM2 = std::max(worstM2, std::abs(areaM2 - truth.areaM2(PlantPart::leaf, grid.indexOf(at))));
  }
  CHECK(expected.size() > 5000);
  CHECK(worstM2 < 1e-10);
}

TEST_CASE("a box has what lies in it; a leaf between two voxels counts once") {
  SceneMaker maker;
  const std::uint16_t leaf = maker.material(partMaterial(PlantPart::leaf));
  maker.place(maker.model(quadMesh({0.0F, 0.0F, 1.0F}, 1.0F, leaf)), {});
  const auto scene = maker.build();
  const VoxelSpace around{{-2.0, -2.0, 0.0}, {1.0, 1.0, 1.0}, {4, 4, 2}};
  const VoxelTruth all = voxelsOf(*scene, around);
  CHECK(all.sumM2[0] == doctest::Approx(4.0).epsilon(1e-12));
  CHECK(all.areaM2(PlantPart::leaf, around.indexOf({1, 1, 1})) ==
        doctest::Approx(1.0).epsilon(1e-12));
  CHECK(all.areaM2(PlantPart::leaf, around.indexOf({1, 1, 0})) == 0.0);
  CHECK(all.topsM[1 * 4 + 1].load() == doctest::Approx(1.0));
  CHECK(std::isinf(all.topsM[0].load()));
  const VoxelSpace cut{{-0.25, 0.5, 0.5}, {0.5, 0.5, 1.0}, {1, 3, 1}};
  CHECK(voxelsOf(*scene, cut).sumM2[0] == doctest::Approx(0.25).epsilon(1e-12));
  // A horizontal leaf shows its area times the cosine.
  CHECK(all.shownM2[0][0] == doctest::Approx(4.0 * std::cos(zenithOfStep(0))).epsilon(1e-6));
  CHECK(all.shownM2[0][12] == doctest::Approx(4.0 * std::cos(zenithOfStep(12))).epsilon(1e-6));
}

TEST_CASE("voxels and gaps are the same on any number of threads") {
  SceneMaker maker;
  maker.material(partMaterial(PlantPart::leaf));
  const std::uint16_t model = maker.model(randomTriangles(3000, 3.0, 0.2));
  for (int n = 0; n < 20; ++n) {
    maker.place(model, {0.3 * n, 0.1 * n, 0.0}, rotationAbout({0.0, 0.0, 1.0}, 0.4 * n),
                1.0 + 0.01 * n);
  }
  const VoxelSpace grid{{0.0, 0.0, 0.0}, {0.3, 0.3, 0.3}, {20, 20, 12}};
  const GapRequest rays{{0.0, 0.0, 0.0}, {6.0, 6.0, 3.6}, 20'000, 3};
  const auto one = maker.build(testDevice(1));
  const auto three = maker.build(testDevice(3));
  const VoxelTruth a = voxelsOf(*one, grid);
  const VoxelTruth b = voxelsOf(*three, grid);
  for (std::size_t voxel = 0; voxel < grid.voxels(); ++voxel) {
    REQUIRE(a.areaM2(PlantPart::leaf, voxel) == b.areaM2(PlantPart::leaf, voxel));
  }
  CHECK(a.shownM2 == b.shownM2);
  CHECK(a.sumM2[0] > 100.0);
  CHECK(gapTruth(*one, rays, {}).gapFraction == gapTruth(*three, rays, {}).gapFraction);
}

TEST_CASE("a level layer has the same gap fraction at every zenith angle") {
  SceneMaker maker;
  Material leaf = partMaterial(PlantPart::leaf);
  leaf.gapFraction = 0.25;
  const std::uint16_t leaves = maker.material(leaf);
  const std::uint16_t wood = maker.material(partMaterial(PlantPart::wood));
  const std::uint16_t other = maker.material(0.5F);
  // Leaves over 1/4 of the plot, wood over another 1/4, what is no plant over all.
  maker.place(maker.model(quadMesh({1.0F, 1.0F, 2.0F}, 0.5F, leaves)), {});
  maker.place(maker.model(quadMesh({2.0F, 1.0F, 2.0F}, 0.5F, wood)), {});
  maker.place(maker.model(quadMesh({1.5F, 1.5F, 1.0F}, 5.0F, other)), {});
  const auto scene = maker.build();
  const GapTruth gaps = gapTruth(*scene, {{0.5, 0.5, 0.0}, {2.5, 2.5, 3.0}, 360'000, 1}, {});
  CHECK(gaps.raysPerZenith == 20'000);
  for (std::size_t step = 0; step < gaps.gapFraction.size(); ++step) {
    CAPTURE(step);
    // Five standard deviations of 20,000 rays.
    CHECK(std::abs(gaps.gapFraction[step] - (1.0 - 0.25 * 0.75 - 0.25)) <
          5.0 * 0.5 / std::sqrt(20'000.0));
    CHECK(std::abs(gaps.leafGapFraction[step] - (1.0 - 0.25 * 0.75)) <
          5.0 * 0.33 / std::sqrt(20'000.0));
  }
}
