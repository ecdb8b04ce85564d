// Plants: counts, sizes, shapes and sameness. Sample files are checked in test/assets.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/plants/blade.h"
#include "core/plants/leaf.h"
#include "core/plants/plants.h"
#include "core/plants/treeSkeleton.h"
#include "core/scene/footprint.h"
#include "test/native/support/meshMeasures.h"
#include "test/native/support/plants.h"

using namespace understory;
using nlohmann::json;

namespace {

json level(int branches, double lengthRatio, double downAngleDeg, int segments) {
  return {{"branches", branches},
          {"lengthRatio", lengthRatio},
          {"lengthVariation", 0.1},
          {"downAngleDeg", downAngleDeg},
          {"downAngleVariationDeg", -10},
          {"rotateDeg", 137.5},
          {"rotateVariationDeg", 15},
          {"curveDeg", 0},
          {"curveVariationDeg", 40},
          {"segments", segments},
          {"sides", 3}};
}

json leaves() {
  return {{"perTwig", 5},   {"lengthM", 0.1}, {"widthM", 0.06},
          {"triangles", 8}, {"bendDeg", 25},  {"material", "leaf"}};
}

json tree() {
  return {{"generator", "tree"},
          {"heightM", 8.0},
          {"crownBaseM", 2.0},
          {"crownShape", "spherical"},
          {"trunk",
           {{"radiusM", 0.15},
            {"flare", 0.5},
            {"curveDeg", 0},
            {"curveVariationDeg", 20},
            {"segments", 24},
            {"sides", 12}}},
          {"ratioPower", 1.2},
          {"attractionUp", 0.2},
          {"levels", {level(20, 0.4, 60, 8), level(6, 0.4, 50, 5), level(4, 0.4, 50, 3)}},
          {"leaves", leaves()},
          {"barkMaterial", "bark"}};
}

json shrub() {
  return {{"generator", "shrub"},
          {"heightM", 1.0},
          {"crownRadiusM", 0.4},
          {"crownBaseM", 0.3},
          {"trunk", {{"radiusM", 0.028}, {"heightM", 0.72}}},
          {"stems", 40},
          {"stemRadiusM", 0.006},
          {"twigsPerStem", 6},
          {"twigLengthM", 0.12},
          {"shellShare", 0.4},
          {"leaves", leaves()},
          {"barkMaterial", "bark"}};
}

}  // namespace

TEST_CASE("plants are the same for one seed, others for another, and have no degenerate triangle") {
  for (const json& plant : {grass(), tree(), shrub()}) {
    const GrownPlant first = growPlant(plantOf(plant), 5, plantMaterials);
    CHECK(first.builder.degenerateTriangles == 0);
    CHECK(isSame(first.builder.mesh, growPlant(plantOf(plant), 5, plantMaterials).builder.mesh));
    CHECK_FALSE(
        isSame(first.builder.mesh, growPlant(plantOf(plant), 6, plantMaterials).builder.mesh));
    CHECK(first.builder.mesh.triangles.size() <= predictPlantTriangles(plantOf(plant)));
    CHECK(first.builder.mesh.triangles.size() * 3 > predictPlantTriangles(plantOf(plant)));
  }
}

TEST_CASE("a blade tapers, folds and bends without changing its length") {
  MeshBuilder builder;
  BladeShape shape;
  shape.lengthM = 0.6;
  shape.widthM = 0.01;
  shape.bendRad = 1.0;
  shape.foldRad = 0.8;
  addBlade(builder, shape, 0);
  REQUIRE(builder.mesh.triangles.size() == 4 * shape.segments);
  // Stations are three vertices each: left edge, middle line, right edge; then centre and tip.
  const auto& vertices = builder.mesh.vertices;
  const std::size_t stations = (vertices.size() - 2) / 3;
  CHECK(stations == shape.segments);
  double lengthM = 0.0;
  double lastWidthM = 1.0;
  for (std::size_t station = 0; station < stations; ++station) {
    const Vec3d middle = toDouble(vertices[3 * station + 1]);
    const double widthM =
        length(toDouble(vertices[3 * station + 2]) - toDouble(vertices[3 * station]));
    if (station > stations / 3) CHECK(widthM < lastWidthM);
    lastWidthM = widthM;
    const Vec3d above =
        toDouble(vertices[station + 1 < stations ? 3 * station + 4 : vertices.size() - 2]);
    lengthM += length(above - middle);
  }
  lengthM += length(toDouble(vertices.back()) - toDouble(vertices[vertices.size() - 2]));
  // Chords of two half steps: shorter than the arc by less than (bend / segments)^2 / 24 of it.
  CHECK(lengthM == doctest::Approx(0.6).epsilon(1e-3));
  CHECK(lastWidthM < 0.2 * shape.widthM);
  CHECK(vertices.back().z < 0.6F);
  CHECK(vertices.back().x > 0.1F);
}

TEST_CASE("a grass patch has its blades, 88 triangles each, from 0.3 to 0.85 m in its disc") {
  const GrownPlant patch = growPlant(plantOf(grass()), 1, plantMaterials);
  CHECK(patch.blades == 100);
  CHECK(patch.barkMaterial == -1);
  CHECK(patch.builder.mesh.triangles.size() == 100 * 88);
  const Boundsf bounds = boundsOf(patch.builder.mesh);
  CHECK((bounds.max.z > 0.5F && bounds.max.z <= 0.85F));
  CHECK(bounds.min.z > -0.01F);
  const std::size_t verticesOfBlade = patch.builder.mesh.vertices.size() / 100;
  for (std::size_t blade = 0; blade < 100; ++blade) {
    const Vec3f base = patch.builder.mesh.vertices[blade * verticesOfBlade + 1];
    CHECK(std::hypot(base.x, base.y) <= 0.4F);
    CHECK(base.z == 0.0F);
  }
}

TEST_CASE("a tree's skeleton follows Weber and Penn") {
  const auto parameters = std::get<TreeParameters>(plantOf(tree()));
  const std::vector<Stem> stems = growSkeleton(parameters, 1);
  CHECK(stems[0].order == 0);
  CHECK(stems[0].points[0].radiusM == doctest::Approx(0.15 * (1.0 + 0.5 * 0.99)));
  CHECK(stems[0].points.back().radiusM == 0.0);
  std::array<std::size_t, 4> ofOrder{};
  for (const Stem& stem : stems) {
    ++ofOrder[stem.order];
    for (std::size_t point = 1; point < stem.points.size(); ++point) {
      CHECK(stem.points[point].radiusM < stem.points[point - 1].radiusM);
      const double stepM = length(stem.points[point].positionM - stem.points[point - 1].positionM);
      CHECK(stepM == doctest::Approx(stem.lengthM / stemShapeOf(parameters, stem.order).segments));
    }
    // Branches leave the trunk above the base of the crown, and are no thicker than it is there.
    if (stem.order == 1) {
      CHECK(stem.points[0].positionM.z > 0.95 * parameters.crownBaseM);
      CHECK(stem.points[0].radiusM < 0.15);
      CHECK(stem.lengthM <= 1.1 * 0.4 * 8.0);
    }
  }
  CHECK(ofOrder[0] == 1);
  CHECK(ofOrder[1] == 20);
  CHECK((ofOrder[2] > 40 && ofOrder[2] <= 120));
  CHECK((ofOrder[3] > ofOrder[2] && ofOrder[3] <= 480));
}

TEST_CASE("a tree has wood and leaves in its crown, and stops a vehicle with its trunk only") {
  const GrownPlant grown = growPlant(plantOf(tree()), 1, plantMaterials);
  const Mesh& mesh = grown.builder.mesh;
  CHECK(grown.barkMaterial == 2);
  std::size_t leafTriangles = 0;
  float lowestLeafM = 99.0F;
  for (std::size_t index = 0; index < mesh.triangles.size(); ++index) {
    if (mesh.materialOfTriangle[index] != 1) continue;
    ++leafTriangles;
    for (const std::uint32_t corner : mesh.triangles[index]) {
      lowestLeafM = std::min(lowestLeafM, mesh.vertices[corner].z);
    }
  }
  const std::size_t twigs = leafTriangles / (5 * 8);
  CHECK(leafTriangles == twigs * 5 * 8);
  CHECK(twigs > 100);
  CHECK(lowestLeafM > 1.5F);
  const Boundsf bounds = boundsOf(mesh);
  CHECK((bounds.max.z > 7.0F && bounds.max.z < 9.5F));
  CHECK((bounds.max.x - bounds.min.x > 3.0F && bounds.max.x - bounds.min.x < 9.0F));
  for (const Vec2f corner : footprintOf(mesh, grown.barkMaterial)) {
    CHECK(std::hypot(corner.x, corner.y) < 0.15F * 1.5F + 0.1F);  // flare, and the trunk's sway
  }
}

TEST_CASE("a leaf has its triangles and about the area of an ellipse") {
  for (const std::uint32_t triangles : {4U, 8U, 16U, 64U}) {
    MeshBuilder builder;
    addLeaf(builder, {{}, {1, 0, 0}, {0, 0, 1}, 0.1, 0.06, 0.0}, triangles, 1);
    CHECK(builder.mesh.triangles.size() == triangles);
    const double ellipseM2 = 0.25 * piRad * 0.1 * 0.06;
    CHECK(areaM2(builder.mesh) < ellipseM2);
    CHECK(areaM2(builder.mesh) > 0.55 * ellipseM2);
  }
}

TEST_CASE("a shrub is bare below its crown and hollow within") {
  const GrownPlant grown = growPlant(plantOf(shrub()), 1, plantMaterials);
  const Mesh& mesh = grown.builder.mesh;
  std::size_t leafCorners = 0;
  std::size_t nearAxis = 0;
  for (std::size_t index = 0; index < mesh.triangles.size(); ++index) {
    for (const std::uint32_t corner : mesh.triangles[index]) {
      const Vec3f at = mesh.vertices[corner];
      const float fromAxisM = std::hypot(at.x, at.y);
      if (mesh.materialOfTriangle[index] == 2) {
        if (at.z < 0.25F) CHECK(fromAxisM < 0.07F);
        continue;
      }
      ++leafCorners;
      CHECK(at.z > 0.1F);
      if (at.z > 0.45F && at.z < 0.75F && fromAxisM < 0.12F) ++nearAxis;
    }
  }
  // Evenly filled, that core would hold (0.12 / 0.4)^2 * 0.3 / (0.7 * 2 / 3) = 6 % of the crown.
  CHECK(static_cast<double>(nearAxis) < 0.015 * static_cast<double>(leafCorners));
  const Boundsf bounds = boundsOf(mesh);
  CHECK((bounds.max.z > 0.9F && bounds.max.z < 1.2F));
}

TEST_CASE("what a plant file lacks or gets wrong is named") {
  json plant = tree();
  plant["generator"] = "cactus";
  CHECK_THROWS_WITH_AS(growPlant(plantOf(plant), 1, plantMaterials), doctest::Contains("cactus"),
                       UnderstoryError);
  plant = tree();
  plant.erase("levels");
  CHECK_THROWS_WITH_AS(growPlant(plantOf(plant), 1, plantMaterials), doctest::Contains("levels"),
                       UnderstoryError);
  CHECK_THROWS_WITH_AS(growPlant(plantOf(tree()), 1, {{"leaf", 0}}), doctest::Contains("bark"),
                       UnderstoryError);
  plant = grass();
  plant["segments"] = 0;
  CHECK_THROWS_AS(growPlant(plantOf(plant), 1, plantMaterials), UnderstoryError);
}
