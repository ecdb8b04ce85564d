// Primitives, height fields and footprints against closed forms.
#include <doctest/doctest.h>

#include <cmath>

#include "core/scene/footprint.h"
#include "core/scene/heightField.h"
#include "core/scene/primitives.h"
#include "test/native/support/meshMeasures.h"

using namespace understory;

namespace {

// Vertices are single precision.
constexpr double roundOff = 1e-5;

double polygonAreaM2(const std::vector<Vec2f>& polygon) {
  double sum = 0.0;
  for (std::size_t index = 0; index < polygon.size(); ++index) {
    const Vec2f a = polygon[index];
    const Vec2f b = polygon[(index + 1) % polygon.size()];
    sum += 0.5 * (static_cast<double>(a.x) * b.y - static_cast<double>(b.x) * a.y);
  }
  return sum;
}

}  // namespace

TEST_CASE("a box is closed, faces outwards and has its volume") {
  const MeshBuilder box = makeBox({1.0, 2.0, 3.0}, 4);
  CHECK(box.mesh.triangles.size() == 12);
  CHECK(box.degenerateTriangles == 0);
  CHECK(isClosed(box.mesh));
  CHECK(volumeM3(box.mesh) == doctest::Approx(6.0).epsilon(roundOff));
  CHECK(areaM2(box.mesh) == doctest::Approx(22.0).epsilon(roundOff));
  CHECK(box.mesh.materialOfTriangle == std::vector<std::uint16_t>(12, 4));
}

TEST_CASE("a sphere tends to its volume with the square of the rings") {
  const double exact = 4.0 / 3.0 * piRad * 8.0;
  double lastMissing = exact;
  for (const std::uint32_t rings : {2U, 8U, 32U, 128U}) {
    const MeshBuilder sphere = makeSphere(2.0, rings, 0);
    CHECK(sphere.mesh.triangles.size() == 4 * rings * (rings - 1));
    CHECK(isClosed(sphere.mesh));
    const double missing = exact - volumeM3(sphere.mesh);
    CHECK(missing > 0.0);  // inscribed
    // Four times as fine: sixteen times as near, less the higher orders (coarse) and float (fine).
    if (rings > 8) CHECK(lastMissing / missing == doctest::Approx(16.0).epsilon(0.15));
    lastMissing = missing;
    for (const Vec3f vertex : sphere.mesh.vertices) {
      CHECK(length(toDouble(vertex)) == doctest::Approx(2.0).epsilon(1e-6));
    }
  }
}

TEST_CASE("a cylinder has the volume and area of its prism, with and without caps") {
  constexpr std::uint32_t sides = 48;
  const double baseM2 = 0.5 * sides * 0.25 * std::sin(2.0 * piRad / sides);
  const double roundM2 = 2.0 * sides * 0.5 * std::sin(piRad / sides) * 3.0;
  const MeshBuilder closed = makeCylinder(0.5, 3.0, sides, true, 0);
  CHECK(closed.mesh.triangles.size() == 4 * sides);
  CHECK(isClosed(closed.mesh));
  CHECK(volumeM3(closed.mesh) == doctest::Approx(3.0 * baseM2).epsilon(roundOff));
  CHECK(areaM2(closed.mesh) == doctest::Approx(roundM2 + 2.0 * baseM2).epsilon(roundOff));
  const MeshBuilder open = makeCylinder(0.5, 3.0, sides, false, 0);
  CHECK(open.mesh.triangles.size() == 2 * sides);
  CHECK(areaM2(open.mesh) == doctest::Approx(roundM2).epsilon(roundOff));
  CHECK(boundsOf(open.mesh).min.z == 0.0F);
  CHECK(boundsOf(open.mesh).max.z == 3.0F);
}

TEST_CASE("a plane faces up and has its area at every fineness") {
  for (const std::uint32_t divisions : {1U, 7U}) {
    const MeshBuilder plane = makePlane(3.0, 2.0, divisions, 0);
    CHECK(plane.mesh.triangles.size() == 2 * divisions * divisions);
    CHECK(areaM2(plane.mesh) == doctest::Approx(6.0).epsilon(roundOff));
    for (std::size_t index = 0; index < plane.mesh.triangles.size(); ++index) {
      const auto [a, b, c] = cornersOf(plane.mesh, index);
      CHECK(cross(b - a, c - a).z > 0.0);
    }
  }
}

TEST_CASE("degenerate triangles are dropped and counted") {
  MeshBuilder builder;
  const float infinite = std::numeric_limits<float>::infinity();
  for (const Vec3f vertex : {Vec3f{0, 0, 0}, Vec3f{1, 0, 0}, Vec3f{2, 0, 0}, Vec3f{0, 1, 0},
                             Vec3f{infinite, 0, 0}, Vec3f{1, 1e-7F, 0}, Vec3f{1, 1e-4F, 0}}) {
    builder.addVertex(vertex);
  }
  builder.addTriangle(0, 1, 2, 0);  // on one line
  builder.addTriangle(0, 1, 1, 0);  // repeated index
  builder.addTriangle(0, 3, 4, 0);  // not finite
  builder.addTriangle(0, 2, 5, 0);  // on one line but for the last digits
  CHECK(builder.mesh.triangles.empty());
  CHECK(builder.degenerateTriangles == 4);
  builder.addTriangle(0, 2, 6, 0);  // thin, but a triangle
  builder.addTriangle(0, 1, 3, 0);
  CHECK(builder.mesh.triangles.size() == 2);
}

TEST_CASE("height between nodes lies on the triangles, split from south-west to north-east") {
  HeightField field{3, 2, 10.0, 20.0, 2.0, 4.0, {0, 1, 5, 2, 7, 3}};
  CHECK(heightAt(field, 10.0, 20.0) == 0.0);
  CHECK(heightAt(field, 12.0, 24.0) == 7.0);
  CHECK(heightAt(field, 11.0, 22.0) == doctest::Approx(3.5));  // middle of the diagonal 0 to 7
  CHECK(heightAt(field, 11.5, 21.0) == doctest::Approx(0.75 * 1 + 0.25 * 6));  // below it
  CHECK(heightAt(field, 10.5, 23.0) == doctest::Approx(0.75 * 2 + 0.25 * 5));  // above it
  CHECK(heightAt(field, 0.0, 0.0) == 0.0);  // beyond the edge: the edge
  CHECK(heightAt(field, 99.0, 99.0) == 3.0);
  // Every triangle's centre lies on the surface.
  const MeshBuilder builder = makeHeightField(field, 0);
  CHECK(builder.mesh.triangles.size() == 4);
  for (std::size_t index = 0; index < 4; ++index) {
    const auto [a, b, c] = cornersOf(builder.mesh, index);
    const Vec3d centre = (a + b + c) * (1.0 / 3.0);
    CHECK(heightAt(field, centre.x, centre.y) == doctest::Approx(centre.z));
    CHECK(cross(b - a, c - a).z > 0.0);
  }
}

TEST_CASE("a footprint is the hull of all vertices between 0.1 and 1.5 m") {
  const auto squareHull = footprintOf(makeBox({2.0, 1.0, 4.0}, 0).mesh, -1);
  CHECK(squareHull.size() == 4);
  CHECK(polygonAreaM2(squareHull) == doctest::Approx(2.0));  // positive: counter-clockwise
  // A low box, centred: from its lowest point it reaches 0.12 m, a kerb of 0.05 m is rolled over.
  CHECK(polygonAreaM2(footprintOf(makeBox({1.0, 1.0, 0.12}, 0).mesh, -1)) == doctest::Approx(1.0));
  CHECK(footprintOf(makeBox({1.0, 1.0, 0.05}, 0).mesh, -1).empty());
  // A cone, wide above: clipped at 1.5 m its radius is 1.5 m, though it reaches 3 m.
  MeshBuilder cone;
  constexpr std::uint32_t sides = 64;
  cone.addVertex(Vec3f{0, 0, 0});
  for (std::uint32_t side = 0; side < sides; ++side) {
    const double aroundRad = 2.0 * piRad * side / sides;
    cone.addVertex(Vec3d{3.0 * std::cos(aroundRad), 3.0 * std::sin(aroundRad), 3.0});
  }
  for (std::uint32_t side = 0; side < sides; ++side) {
    cone.addTriangle(0, 1 + side, 1 + (side + 1) % sides, side % 2 == 0 ? 0 : 1);
  }
  const double prismM2 = 0.5 * sides * 2.25 * std::sin(2.0 * piRad / sides);
  CHECK(polygonAreaM2(footprintOf(cone.mesh, -1)) == doctest::Approx(prismM2).epsilon(1e-4));
  CHECK(footprintOf(cone.mesh, 7).empty());  // no triangle of that material
}

TEST_CASE("a hull leaves out inner, repeated and collinear points") {
  const auto hull =
      convexHull({{0, 0}, {1, 0}, {2, 0}, {2, 2}, {0, 2}, {0, 1}, {1, 1}, {2, 2}, {0, 0}});
  CHECK(hull.size() == 4);
  CHECK(polygonAreaM2(hull) == doctest::Approx(4.0));
  CHECK(convexHull({{0, 0}, {1, 1}, {2, 2}}).empty());
  CHECK(convexHull({{1, 1}}).empty());
  CHECK(convexHull({}).empty());
}
