// Polygons as triangles: together they cover what the polygon covers, once, and nothing else.
#include <doctest/doctest.h>

#include <cmath>
#include <span>

#include "core/random/philox.h"
#include "core/scene/polygon.h"
#include "core/scene/readers/meshReaders.h"
#include "test/native/support/meshFiles.h"

using namespace understory;

namespace {

using Points = std::vector<Vec3f>;

Triangulation cut(const Points& points) {
  Triangulation result;
  triangulate(points, result);
  return result;
}

// In the plane z = 0.
double shoelaceM2(const Points& points) {
  double twice = 0.0;
  for (std::size_t index = 0; index < points.size(); ++index) {
    const Vec3d a = toDouble(points[index]);
    const Vec3d b = toDouble(points[(index + 1) % points.size()]);
    twice += a.x * b.y - a.y * b.x;
  }
  return 0.5 * twice;
}

// Area of each triangle, signed as its corners turn about z.
std::vector<double> areasM2(const Points& points, const Triangulation& result) {
  std::vector<double> areas;
  for (const auto& [a, b, c] : result.triangles) {
    areas.push_back(shoelaceM2({points[a], points[b], points[c]}));
  }
  return areas;
}

// Whether the triangles are those of the polygon: all turn as it does, and their areas add up to its own. Then no part
// outside is covered, nor a part twice.
bool isCovered(const Points& points) {
  const Triangulation result = cut(points);
  double sum = 0.0;
  double least = 0.0;
  const double total = shoelaceM2(points);
  for (const double area : areasM2(points, result)) {
    sum += area;
    least = std::min(least, area / total);
  }
  return result.triangles.size() == points.size() - 2 && !result.isSelfIntersecting &&
         least >= -1e-9 && std::abs(sum - total) < 1e-5 * std::abs(total);
}

const Points letterL{{-1, -1, 0}, {1, -1, 0}, {1, 0, 0}, {0, 0, 0}, {0, 1, 0}, {-1, 1, 0}};

Points startingAt(Points points, std::size_t first) {
  std::rotate(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(first), points.end());
  return points;
}

Points moved(const Points& points, Quatd rotation, Vec3d shift) {
  Points result;
  for (const Vec3f point : points) {
    result.push_back(toFloat(rotate(rotation, toDouble(point)) + shift));
  }
  return result;
}

}  // namespace

TEST_CASE("a concave polygon is covered whichever corner comes first and whichever way it turns") {
  for (std::size_t first = 0; first < letterL.size(); ++first) {
    CHECK(isCovered(startingAt(letterL, first)));
    Points reversed = startingAt(letterL, first);
    std::reverse(reversed.begin(), reversed.end());
    CHECK(isCovered(reversed));
  }
  // A comb of five teeth, a star and a spiral of 64 corners.
  Points comb;
  for (int tooth = 0; tooth < 5; ++tooth) {
    const auto x = static_cast<float>(2 * tooth);
    for (const Vec3f corner : {Vec3f{x, 3, 0}, Vec3f{x, 0.1F, 0}, Vec3f{x + 1, 0.1F, 0}}) {
      comb.push_back(corner);
    }
    comb.push_back({x + 1, 3, 0});
  }
  comb.push_back({9, 4, 0});
  comb.push_back({0, 4, 0});
  CHECK(isCovered(comb));
  Points star;
  Points spiral;
  for (int corner = 0; corner < 64; ++corner) {
    const double angle = corner * piRad / 32.0;
    const double radius = corner % 2 == 0 ? 1.0 : 0.2;
    star.push_back(toFloat(Vec3d{radius * std::cos(angle), radius * std::sin(angle), 0.0}));
    const int step = corner < 32 ? corner : 63 - corner;
    const double reach = (corner < 32 ? 1.0 : 0.9) * (1.0 + 0.4 * step);
    const double along = 0.5 * step;
    spiral.push_back(toFloat(Vec3d{reach * std::cos(along), reach * std::sin(along), 0.0}));
  }
  CHECK(isCovered(star));
  CHECK(isCovered(spiral));
}

TEST_CASE("random polygons of a star shape are covered") {
  for (std::uint32_t n = 0; n < 300; ++n) {
    RandomStream random(7, RandomPurpose::plant, n);
    const std::uint32_t corners = 4 + n % 60;
    Points points;
    for (std::uint32_t corner = 0; corner < corners; ++corner) {
      const double angle = 2.0 * piRad * (corner + 0.8 * random.uniform()) / corners;
      const double radius = random.uniform(0.1, 1.0);
      points.push_back(toFloat(Vec3d{radius * std::cos(angle), radius * std::sin(angle), 0.0}));
    }
    CAPTURE(n);
    CHECK(isCovered(points));
  }
}

TEST_CASE("a hole that a doubled edge joins to the outline stays open") {
  const Points ring{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}, {0, 0, 0},
                    {1, 1, 0}, {1, 3, 0}, {3, 3, 0}, {3, 1, 0}, {1, 1, 0}};
  CHECK(shoelaceM2(ring) == doctest::Approx(12.0));
  CHECK(isCovered(ring));
}

TEST_CASE(
    "convex polygons are fans from their first corner, on any plane and with corners on an edge") {
  const std::vector<std::array<std::uint32_t, 3>> fan{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
  Points hexagon;
  for (int corner = 0; corner < 6; ++corner) {
    const double angle = corner * piRad / 3.0;
    hexagon.push_back(toFloat(Vec3d{std::cos(angle), std::sin(angle), 0.0}));
  }
  const Points withMiddles{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {2, 2, 0}, {0, 2, 0}};
  const Quatd rotation = rotationAbout(normalized(Vec3d{1.0, 2.0, -0.5}), 1.1);
  for (const Points& points : {hexagon, withMiddles}) {
    CHECK(cut(points).triangles == fan);
    CHECK(cut(moved(points, rotation, {1000.0, -300.0, 40.0})).triangles == fan);
    CHECK_FALSE(cut(moved(points, rotation, {1000.0, -300.0, 40.0})).isNonPlanar);
  }
  // The same plane, where the polygon is not convex.
  CHECK(cut(moved(letterL, rotation, {10.0, 3.0, 4.0})).triangles == cut(letterL).triangles);
}

TEST_CASE("polygons that are not plane or cross themselves are cut and marked") {
  const Points saddle{{0, 0, 0}, {1, 0, 0.3F}, {1, 1, 0}, {0, 1, 0.3F}};
  CHECK(cut(saddle).isNonPlanar);
  CHECK_FALSE(cut(saddle).isSelfIntersecting);
  CHECK(cut(saddle).triangles.size() == 2);
  const Points bowTie{{0, 0, 0}, {2, 2, 0}, {2, 0, 0}, {0, 2, 0}};
  const Points unequalTie{{0, 0, 0}, {2, 2, 0}, {2, 0, 0}, {0, 1, 0}};
  Points pentagram;
  for (int corner = 0; corner < 5; ++corner) {
    const double angle = corner * 0.8 * piRad;
    pentagram.push_back(toFloat(Vec3d{std::cos(angle), std::sin(angle), 0.0}));
  }
  for (const Points& points : {bowTie, unequalTie, pentagram}) {
    CHECK(cut(points).isSelfIntersecting);
    CHECK(cut(points).triangles.size() == points.size() - 2);
  }
  const Points line{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  CHECK_FALSE(cut(line).isSelfIntersecting);
  CHECK(cut(line).triangles.size() == 2);
}

TEST_CASE("a concave face with too many corners is refused, a convex one is not") {
  std::string disc;
  std::string star;
  std::string face = "f";
  for (std::size_t corner = 0; corner <= maxConcaveCorners; ++corner) {
    const double angle = 2.0 * piRad * static_cast<double>(corner) / (maxConcaveCorners + 1.0);
    const auto vertex = [&](double radius) {
      return "v " + std::to_string(radius * std::cos(angle)) + " " +
             std::to_string(radius * std::sin(angle)) + " 0\n";
    };
    disc += vertex(1000.0);
    star += vertex(corner % 2 == 0 ? 1000.0 : 900.0);
    face += " " + std::to_string(corner + 1);
  }
  const auto read = [&](const std::string& text) {
    return readObj(std::as_bytes(std::span(text)), "a.obj", metresZUp,
                   [](const std::string&) -> std::string_view { return {}; });
  };
  CHECK(read(disc + face).mesh.triangles.size() == maxConcaveCorners - 1);
  CHECK_THROWS_WITH_AS(read(star + face),
                       doctest::Contains("line 4098: expected a concave face of at most 4096"),
                       UnderstoryError);
}

TEST_CASE("faces of OBJ and PLY that are concave leave their notch open, and are counted") {
  std::string obj;
  std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float "
      "z\nelement face 2\nproperty list uchar int vertex_indices\nend_header\n";
  for (const Vec3f corner : startingAt(letterL, 2)) {
    const std::string at = std::to_string(corner.x) + " " + std::to_string(corner.y) + " 0\n";
    obj += "v " + at;
    ply += at;
  }
  obj += "f 1 2 3 4 5 6\nf 4 6 5 1\n";
  ply += "6 0 1 2 3 4 5\n4 3 5 4 0\n";
  const MeshBuilder fromObj = readObj(std::as_bytes(std::span(obj)), "a.obj", metresZUp,
                                      [](const std::string&) -> std::string_view { return {}; });
  const MeshBuilder fromPly = readPly(std::as_bytes(std::span(ply)), "a.ply", metresZUp);
  for (const MeshBuilder* builder : {&fromObj, &fromPly}) {
    double areaM2 = 0.0;
    for (std::size_t index = 0; index < 4; ++index) {
      const auto& [a, b, c] = builder->mesh.triangles[index];
      const std::vector<Vec3f>& at = builder->mesh.vertices;
      areaM2 += shoelaceM2({at[a], at[b], at[c]});
    }
    CHECK(areaM2 == doctest::Approx(3.0));
    CHECK(builder->selfIntersectingFaces == 1);
    CHECK(builder->nonPlanarFaces == 0);
  }
}
