// The root step: as many triangles as asked, two levels, a face and roots, edges that a ground covers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/scene/rootStep.h"

using namespace understory;

namespace {

constexpr std::uint16_t soil = 3;
constexpr std::uint16_t bark = 5;
const RootStepSource shape{{2.0, 3.0}, 0.4, 9, 200'000, 1, soil, bark};

double areaM2(const Mesh& mesh, std::size_t triangle) {
  const auto& [a, b, c] = mesh.triangles[triangle];
  const Vec3d at = toDouble(mesh.vertices[a]);
  return 0.5 * length(cross(toDouble(mesh.vertices[b]) - at, toDouble(mesh.vertices[c]) - at));
}

}  // namespace

TEST_CASE("a root step has about as many triangles as asked, and as many as predicted") {
  for (const std::uint32_t triangles : {2U, 1000U, 200'000U}) {
    RootStepSource asked = shape;
    asked.triangles = triangles;
    const MeshBuilder made = makeRootStep(asked, {});
    CHECK(made.mesh.triangles.size() + made.degenerateTriangles == trianglesOf(asked));
    CHECK(made.degenerateTriangles == 0);
    if (triangles > 2) {
      CHECK(static_cast<double>(trianglesOf(asked)) ==
            doctest::Approx(static_cast<double>(triangles)).epsilon(0.03));
    }
  }
}

TEST_CASE("a root step goes from one level to the other, and its roots lie on both and between") {
  const Mesh mesh = makeRootStep(shape, {}).mesh;
  double lowSumM = 0.0;
  double highSumM = 0.0;
  std::size_t low = 0;
  std::size_t high = 0;
  for (const Vec3f vertex : mesh.vertices) {
    const Vec3d at = toDouble(vertex);
    CHECK(std::abs(at.y) <= 1.5 + 0.25);
    CHECK(at.z > -0.1);
    CHECK(at.z < 0.7);
    if (std::abs(at.y) > 0.9) continue;
    if (at.x > -0.8 && at.x < -0.5) lowSumM += at.z, ++low;
    if (at.x > 0.5 && at.x < 0.8) highSumM += at.z, ++high;
  }
  CHECK(lowSumM / static_cast<double>(low) == doctest::Approx(0.0).epsilon(0.03));
  CHECK(highSumM / static_cast<double>(high) == doctest::Approx(0.4).epsilon(0.1));
  double barkM2 = 0.0;
  double allM2 = 0.0;
  std::size_t overhanging = 0;
  double lowestBarkM = 1.0;
  for (std::size_t triangle = 0; triangle < mesh.triangles.size(); ++triangle) {
    const double hereM2 = areaM2(mesh, triangle);
    allM2 += hereM2;
    const auto& [a, b, c] = mesh.triangles[triangle];
    const Vec3f normal =
        cross(mesh.vertices[b] - mesh.vertices[a], mesh.vertices[c] - mesh.vertices[a]);
    overhanging += normal.z < 0.0F ? 1 : 0;
    if (mesh.materialOfTriangle[triangle] != bark) continue;
    barkM2 += hereM2;
    lowestBarkM = std::min(lowestBarkM, static_cast<double>(mesh.vertices[a].z));
  }
  CHECK(allM2 > 6.5);
  CHECK(barkM2 / allM2 > 0.05);
  CHECK(barkM2 / allM2 < 0.4);
  CHECK(lowestBarkM < 0.05);
  // The face leans forward.
  CHECK(overhanging > mesh.triangles.size() / 100);
}

TEST_CASE("edges of a root step lie below the levels and the ramp between them") {
  const Mesh mesh = makeRootStep(shape, {}).mesh;
  std::size_t edges = 0;
  for (const Vec3f vertex : mesh.vertices) {
    if (std::abs(std::abs(vertex.y) - 1.5F) > 1e-6F) continue;
    ++edges;
    const float rampM = 0.4F * std::clamp(vertex.x, 0.0F, 1.0F);
    CHECK(vertex.z == doctest::Approx(rampM - 0.03F).epsilon(1e-4));
  }
  CHECK(edges > 500);
}

TEST_CASE("a root step is a function of its seed") {
  RootStepSource small = shape;
  small.triangles = 2000;
  const Mesh first = makeRootStep(small, {}).mesh;
  const Mesh again = makeRootStep(small, {}).mesh;
  small.seed = 2;
  const Mesh other = makeRootStep(small, {}).mesh;
  const auto isSame = [](Vec3f a, Vec3f b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
  CHECK(std::ranges::equal(first.vertices, again.vertices, isSame));
  CHECK_FALSE(std::ranges::equal(first.vertices, other.vertices, isSame));
}
