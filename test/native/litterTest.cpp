// Litter: as many leaves as the law asks for, above the ground, that cover the share asked for from above; squares that lie
// on slopes cover as much of them.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/assembly/lying.h"
#include "core/error.h"
#include "core/plants/litter.h"
#include "test/native/support/meshMeasures.h"

using namespace understory;

namespace {

constexpr LitterSource beech{0.5, 0.5, {0.07, 0.045}, 0.35, 1, 3};
// Area of a hexagon in its length times its width: PHYSICS.md, 2.12.
constexpr double shareOfBox = 0.6475;

Vec3d cornerOf(const Mesh& mesh, std::size_t triangle, std::size_t corner) {
  return toDouble(mesh.vertices[mesh.triangles[triangle][corner]]);
}

Vec3d twiceArea(const Mesh& mesh, std::size_t triangle) {
  const Vec3d a = cornerOf(mesh, triangle, 0);
  return cross(cornerOf(mesh, triangle, 1) - a, cornerOf(mesh, triangle, 2) - a);
}

double areaFromAboveM2(const Mesh& mesh) {
  double sum = 0.0;
  for (std::size_t triangle = 0; triangle < mesh.triangles.size(); ++triangle) {
    sum += 0.5 * std::abs(twiceArea(mesh, triangle).z);
  }
  return sum;
}

bool isAbove(const Mesh& mesh, std::size_t triangle, double x, double y) {
  bool hasLeft = false;
  bool hasRight = false;
  for (std::size_t corner = 0; corner < 3; ++corner) {
    const Vec3d from = cornerOf(mesh, triangle, corner);
    const Vec3d to = cornerOf(mesh, triangle, (corner + 1) % 3);
    const double side = (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x);
    (side > 0.0 ? hasLeft : hasRight) = true;
  }
  return !(hasLeft && hasRight);
}

// Marks the points of a grid of `cells` x `cells` on the square that lie below leaves, of the square beside it, too: it is
// its own neighbour.
double coverOf(const Mesh& mesh, double sideM) {
  constexpr int cells = 80;
  std::vector<bool> isCovered(std::size_t{cells} * cells);
  for (std::size_t triangle = 0; triangle < mesh.triangles.size(); ++triangle) {
    Boundsf box;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      extend(box, mesh.vertices[mesh.triangles[triangle][corner]]);
    }
    const double stepM = sideM / cells;
    const auto cellOf = [&](float atM) {
      return static_cast<int>(std::floor((static_cast<double>(atM) + 0.5 * sideM) / stepM));
    };
    for (int row = cellOf(box.min.y); row <= cellOf(box.max.y); ++row) {
      for (int column = cellOf(box.min.x); column <= cellOf(box.max.x); ++column) {
        const double x = (column + 0.5) * stepM - 0.5 * sideM;
        const double y = (row + 0.5) * stepM - 0.5 * sideM;
        if (!isAbove(mesh, triangle, x, y)) continue;
        const int wrappedRow = (row % cells + cells) % cells;
        const int wrappedColumn = (column % cells + cells) % cells;
        isCovered[static_cast<std::size_t>(wrappedRow * cells + wrappedColumn)] = true;
      }
    }
  }
  const auto covered = std::count(isCovered.begin(), isCovered.end(), true);
  return static_cast<double>(covered) / static_cast<double>(isCovered.size());
}

}  // namespace

TEST_CASE("litter has the leaves of its law, above the ground") {
  double leaves = 0.0;
  constexpr int squares = 64;
  for (int n = 0; n < squares; ++n) {
    LitterSource litter = beech;
    litter.seed = static_cast<std::uint64_t>(n);
    const Mesh mesh = makeLitter(litter, {}).mesh;
    CHECK(mesh.triangles.size() % 4 == 0);
    CHECK(mesh.triangles.size() <= trianglesOf(litter));
    const double leafM2 = shareOfBox * litter.leafM[0] * litter.leafM[1];
    const auto ofSquare = static_cast<double>(mesh.triangles.size() / 4);
    CHECK(areaM2(mesh) == doctest::Approx(ofSquare * leafM2).epsilon(1e-5));
    leaves += ofSquare / squares;
    const Boundsf bounds = boundsOf(mesh);
    CHECK(bounds.min.z >= 0.0009F);
    // Half a leaf beyond the side, and a leaf that leans at the top of the layer.
    CHECK(bounds.max.x < 0.25F + 0.04F);
    CHECK(bounds.max.z < 0.2F * 0.07F + 0.07F * std::sin(0.35F));
    for (const std::uint16_t material : mesh.materialOfTriangle) CHECK(material == 3);
  }
  const double fromAboveM2 = shareOfBox * 0.07 * 0.045 * std::sin(0.35) / 0.35;
  const double wanted = std::log(0.5) / std::log(1.0 - fromAboveM2 / 0.25);
  // Rounded up or down at random: a standard error of 0.5 / 8 at most, four of them here.
  CHECK(std::abs(leaves - wanted) < 0.25);
}

TEST_CASE("litter covers the share that is asked for, from above") {
  for (const double cover : {0.1, 0.5, 0.9}) {
    for (const std::array<double, 2> leafM : {std::array{0.07, 0.045}, std::array{0.05, 0.004}}) {
      LitterSource litter = beech;
      litter.cover = cover;
      litter.leafM = leafM;
      double sum = 0.0;
      constexpr int squares = 100;
      for (int n = 0; n < squares; ++n) {
        litter.seed = static_cast<std::uint64_t>(n);
        sum += coverOf(makeLitter(litter, {}).mesh, litter.sideM) / squares;
      }
      // The covered shares of squares deviate by 0.03 at most (below 20 independent leaves fewer or more): 0.003 here.
      CHECK(sum == doctest::Approx(cover).epsilon(0.02));
    }
  }
}

TEST_CASE("litter without cover has no leaves, and a square needs room for them") {
  LitterSource litter = beech;
  litter.cover = 0.0;
  CHECK(makeLitter(litter, {}).mesh.triangles.empty());
  litter = beech;
  litter.leafM = {0.2, 0.1};
  CHECK_THROWS_AS(makeLitter(litter, {}), UnderstoryError);
  CHECK_THROWS_AS(trianglesOf(litter), UnderstoryError);
}

TEST_CASE("a square on a slope lies on it and covers as much of it from above") {
  const Mesh mesh = makeLitter(beech, {}).mesh;
  const GroundHeight slope = [](double x, double y) { return 3.0 + 0.4 * x - 0.3 * y; };
  Instance instance;
  instance.positionM = {10.0, 20.0, 0.25};
  instance.rotation = rotationAbout({0.0, 0.0, 1.0}, 0.5 * piRad);
  layOnGround(boundsOf(mesh), slope, instance);
  const Placement placed{instance.positionM, instance.rotation, instance.scale};
  CHECK(instance.positionM.z == doctest::Approx(slope(10.0, 20.0) + 0.25));
  Mesh onSlope = mesh;
  double lowest = 1.0;
  double highest = 0.0;
  for (std::size_t vertex = 0; vertex < mesh.vertices.size(); ++vertex) {
    const Vec3d at = worldFromModel(placed, toDouble(mesh.vertices[vertex]));
    onSlope.vertices[vertex] = toFloat(at - instance.positionM);
    // Along the normal of the slope.
    const double aboveM = (at.z - slope(at.x, at.y) - 0.25) / std::sqrt(1.25);
    lowest = std::min(lowest, aboveM);
    highest = std::max(highest, aboveM);
  }
  CHECK(lowest > 0.0);
  CHECK(highest < 0.06);
  // The area of a leaf changes by the sine of the slope times that of its tilt along it, 0.06 of it (one standard deviation),
  // whose mean is 0: 0.007 for 85 leaves, three of them here.
  CHECK(areaFromAboveM2(onSlope) == doctest::Approx(areaFromAboveM2(mesh)).epsilon(0.02));
}

TEST_CASE("a square on uneven ground lies above its corners and its middle") {
  const Mesh mesh = makeLitter(beech, {}).mesh;
  const Boundsf bounds = boundsOf(mesh);
  for (const double bend : {-0.3, 0.3}) {
    const GroundHeight bowl = [bend](double x, double y) { return bend * (x * x + 0.5 * x * y); };
    Instance instance;
    instance.positionM = {0.4, 0.1, 0.0};
    layOnGround(bounds, bowl, instance);
    const Placement placed{instance.positionM, instance.rotation, instance.scale};
    const double halfM =
        static_cast<double>(std::max({-bounds.min.x, bounds.max.x, -bounds.min.y, bounds.max.y}));
    double nearest = 1.0;
    for (const auto& [x, y] :
         std::array<std::array<double, 2>, 5>{{{0, 0}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}}) {
      const Vec3d at = worldFromModel(placed, Vec3d{halfM * x, halfM * y, 0.0});
      nearest = std::min(nearest, at.z - bowl(at.x, at.y));
    }
    // A turned corner is not exactly above the place whose height was taken: by a few per cent of half a side.
    CHECK(nearest > -0.004);
    CHECK(nearest < 0.004);
  }
}
