// Levels of detail: what they keep of plants, surfaces, stems and loose triangles, and that they are the same always.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>

#include "core/detail/simplify.h"
#include "core/error.h"
#include "core/plants/plants.h"
#include "core/scene/meshBuilder.h"
#include "core/scene/primitives.h"
#include "test/native/support/meshMeasures.h"
#include "test/native/support/plants.h"

using namespace understory;
using nlohmann::json;

namespace {

json leaves(int perTwig) {
  return {{"perTwig", perTwig}, {"lengthM", 0.1}, {"widthM", 0.06},
          {"triangles", 8},     {"bendDeg", 25},  {"material", "leaf"}};
}

json denseShrub() {
  return {{"generator", "shrub"},
          {"heightM", 1.0},
          {"crownRadiusM", 0.4},
          {"crownBaseM", 0.3},
          {"trunk", {{"radiusM", 0.03}, {"heightM", 0.5}}},
          {"stems", 60},
          {"stemRadiusM", 0.004},
          {"twigsPerStem", 6},
          {"twigLengthM", 0.05},
          {"shellShare", 0.4},
          {"leaves", leaves(8)},
          {"barkMaterial", "bark"}};
}

MeshView viewOf(const Mesh& mesh) {
  return {mesh.vertices, mesh.triangles, mesh.materialOfTriangle};
}

Mesh simplified(const Mesh& mesh, std::size_t most) {
  return simplify(partsOf(viewOf(mesh), {}), most, {});
}

std::map<std::uint16_t, double> areasOf(const Mesh& mesh) {
  std::map<std::uint16_t, double> areas;
  for (std::size_t at = 0; at < mesh.triangles.size(); ++at) {
    const auto& [a, b, c] = mesh.triangles[at];
    const Vec3d from = toDouble(mesh.vertices[a]);
    areas[mesh.materialOfTriangle[at]] +=
        0.5 * length(cross(toDouble(mesh.vertices[b]) - from, toDouble(mesh.vertices[c]) - from));
  }
  return areas;
}

void checkBounds(const Mesh& mesh, const Mesh& level, float slackShare) {
  const Boundsf whole = boundsOf(mesh);
  const Boundsf found = boundsOf(level);
  const auto check = [slackShare](float from, float to, float least, float most) {
    const float slackM = slackShare * (to - from);
    CHECK(least >= from);
    CHECK(least <= from + slackM);
    CHECK(most <= to);
    CHECK(most >= to - slackM);
  };
  check(whole.min.x, whole.max.x, found.min.x, found.max.x);
  check(whole.min.y, whole.max.y, found.min.y, found.max.y);
  check(whole.min.z, whole.max.z, found.min.z, found.max.z);
}

void checkSound(const Mesh& level, std::size_t most) {
  CHECK(level.triangles.size() <= most);
  REQUIRE(level.materialOfTriangle.size() == level.triangles.size());
  for (const auto& triangle : level.triangles) {
    for (const std::uint32_t corner : triangle) REQUIRE(corner < level.vertices.size());
  }
  for (const Vec3f& vertex : level.vertices) {
    REQUIRE(std::isfinite(vertex.x + vertex.y + vertex.z));
  }
}

Mesh sphere(std::uint32_t rings) { return makeSphere(1.0, rings, 3).mesh; }

// Every triangle with corners of its own, as in an STL file.
Mesh loose(const Mesh& mesh) {
  Mesh result;
  for (const auto& triangle : mesh.triangles) {
    const auto first = static_cast<std::uint32_t>(result.vertices.size());
    for (const std::uint32_t corner : triangle) result.vertices.push_back(mesh.vertices[corner]);
    result.triangles.push_back({first, first + 1, first + 2});
  }
  result.materialOfTriangle = mesh.materialOfTriangle;
  return result;
}

}  // namespace

TEST_CASE("a level of a plant keeps the area of each material, and the bounds") {
  for (const json& plant : {denseShrub(), grass()}) {
    const Mesh mesh = growPlant(plantOf(plant), 1, plantMaterials).builder.mesh;
    const auto areas = areasOf(mesh);
    for (const std::size_t most : {20000U, 5000U, 1500U, 400U, 200U}) {
      CAPTURE(most);
      const Mesh level = simplified(mesh, most);
      checkSound(level, most);
      CHECK(level.triangles.size() > std::min(most, mesh.triangles.size()) * 9 / 10);
      for (const auto& [material, areaM2] : areas) {
        CAPTURE(material);
        CHECK(std::abs(areasOf(level)[material] / areaM2 - 1.0) < 0.03);
      }
      checkBounds(mesh, level, most < 1000 ? 0.06F : 0.02F);
    }
  }
}

TEST_CASE("blades stay on the ground and grow no longer") {
  const Mesh mesh = growPlant(plantOf(grass()), 1, plantMaterials).builder.mesh;
  const MeshParts whole = partsOf(viewOf(mesh), {});
  const Mesh level = simplified(mesh, 60);
  const MeshParts few = partsOf(viewOf(level), {});
  REQUIRE(whole.parts.size() == 100);
  REQUIRE(few.parts.size() == 30);
  double maxLengthM = 0.0;
  for (const MeshPart& blade : whole.parts) {
    maxLengthM = std::max(maxLengthM, length(toDouble(blade.tipM - blade.footM)));
  }
  for (const MeshPart& blade : few.parts) {
    CHECK(blade.footM.z < 0.02F);
    CHECK(length(toDouble(blade.tipM - blade.footM)) < 1.01 * maxLengthM);
  }
}

TEST_CASE("what is kept is spread over the plant") {
  const Mesh mesh = growPlant(plantOf(denseShrub()), 1, plantMaterials).builder.mesh;
  const Mesh level = simplified(mesh, 1500);
  // Area of leaves in each of the eight corners about the middle of the crown.
  const auto octants = [](const Mesh& of, Vec3f middle) {
    std::array<double, 8> areas{};
    for (std::size_t at = 0; at < of.triangles.size(); ++at) {
      if (of.materialOfTriangle[at] != 1) continue;
      const auto& [a, b, c] = of.triangles[at];
      const Vec3f centre = (of.vertices[a] + of.vertices[b] + of.vertices[c]) * (1.0F / 3.0F);
      const std::size_t octant = (centre.x > middle.x ? 1U : 0U) + (centre.y > middle.y ? 2U : 0U) +
                                 (centre.z > middle.z ? 4U : 0U);
      areas[octant] +=
          0.5 *
          length(toDouble(cross(of.vertices[b] - of.vertices[a], of.vertices[c] - of.vertices[a])));
    }
    return areas;
  };
  const Vec3f middle{0.0F, 0.0F, 0.65F};
  const auto whole = octants(mesh, middle);
  const auto found = octants(level, middle);
  double total = 0.0;
  for (const double areaM2 : whole) total += areaM2;
  for (std::size_t octant = 0; octant < 8; ++octant) {
    // Some 600 stand-ins in strata of neighbours: only those on the edge of an octant can miss it.
    CHECK(std::abs(found[octant] - whole[octant]) < 0.04 * total);
  }
}

TEST_CASE("levels are a function of the mesh and the number alone") {
  const Mesh mesh = growPlant(plantOf(denseShrub()), 2, plantMaterials).builder.mesh;
  const MeshParts parts = partsOf(viewOf(mesh), {});
  const Mesh once = simplify(parts, 1500, {});
  simplify(parts, 300, {});
  CHECK(isSame(once, simplify(parts, 1500, {})));
  CHECK(isSame(once, simplified(mesh, 1500)));
  CHECK_FALSE(isSame(once, simplified(mesh, 1700)));
}

TEST_CASE("a small mesh comes as it is") {
  const Mesh mesh = sphere(8);
  CHECK(isSame(mesh, simplified(mesh, mesh.triangles.size())));
  const Mesh nothing;
  CHECK(simplified(nothing, 50).triangles.empty());
}

TEST_CASE("a closed surface keeps area and bounds, with common corners or with none") {
  const Mesh mesh = sphere(64);
  const double areaM2 = areasOf(mesh)[3];
  for (const Mesh& source : {mesh, loose(mesh)}) {
    CHECK(partsOf(viewOf(source), {}).parts.size() == 1);
    for (const std::size_t most : {4000U, 1000U, 200U}) {
      CAPTURE(most);
      const Mesh level = simplified(source, most);
      checkSound(level, most);
      CHECK(level.triangles.size() > most / 2);
      CHECK(std::abs(areasOf(level)[3] / areaM2 - 1.0) < (most < 1000 ? 0.08 : 0.04));
      checkBounds(source, level, 0.03F);
    }
  }
}

TEST_CASE("flat ground keeps its corners and its area") {
  const Mesh ground = makePlane(100.0, 60.0, 120, 0).mesh;
  const Mesh level = simplified(ground, 2000);
  checkSound(level, 2000);
  checkBounds(ground, level, 1e-6F);
  CHECK(std::abs(areasOf(level)[0] / 6000.0 - 1.0) < 2e-3);
}

TEST_CASE("a thin pole keeps its surface and its length") {
  const Mesh pole = makeCylinder(0.02, 3.0, 400, true, 2).mesh;
  const double areaM2 = areasOf(pole)[2];
  for (const std::size_t most : {400U, 100U, 50U}) {
    CAPTURE(most);
    const Mesh level = simplified(pole, most);
    checkSound(level, most);
    // Why more at 50: three sides within the bounds of a circle cannot have all of its length.
    CHECK(std::abs(areasOf(level)[2] / areaM2 - 1.0) < (most < 100 ? 0.1 : 0.05));
    CHECK(boundsOf(level).max.z - boundsOf(level).min.z > 2.99F);
  }
}

TEST_CASE("levels can be stopped") {
  const Mesh mesh = sphere(160);
  const std::atomic<bool> isCancelled{true};
  Watch watch;
  watch.isCancelled = &isCancelled;
  CHECK_THROWS_AS(partsOf(viewOf(mesh), watch), UnderstoryError);
  const MeshParts parts = partsOf(viewOf(mesh), {});
  CHECK_THROWS_AS(simplify(parts, 100, watch), UnderstoryError);
}
