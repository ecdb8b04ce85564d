// Leaf discs: the leaf area that was asked for, at places and angles of their laws, alone or in clumps.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "core/plants/leafAngles.h"
#include "core/plants/leafDiscs.h"

using namespace understory;

namespace {

constexpr std::uint16_t leafMaterial = 3;
constexpr std::size_t cornersOfLeaf = 8;
constexpr std::size_t trianglesOfLeaf = cornersOfLeaf - 2;
const LeafDiscsSource canopy{{4.0, 2.0, 3.0}, 5000, 0.06, LeafAngleLaw::planophile, 1, 0.1, 7,
                             leafMaterial};

struct Leaf {
  Vec3d placeM;
  double angleRad = 0.0;  // of its normal to the vertical
  double areaM2 = 0.0;
};

std::vector<Leaf> leavesOf(const LeafDiscsSource& source) {
  const Mesh mesh = makeLeafDiscs(source, {}).mesh;
  std::vector<Leaf> leaves(mesh.vertices.size() / cornersOfLeaf);
  for (std::size_t index = 0; index < leaves.size(); ++index) {
    Leaf& leaf = leaves[index];
    for (std::size_t corner = 0; corner < cornersOfLeaf; ++corner) {
      leaf.placeM = leaf.placeM +
                    toDouble(mesh.vertices[index * cornersOfLeaf + corner]) * (1.0 / cornersOfLeaf);
    }
    Vec3d twiceM2{};
    for (std::size_t part = 0; part < trianglesOfLeaf; ++part) {
      const auto& [a, b, c] = mesh.triangles[index * trianglesOfLeaf + part];
      const Vec3d at = toDouble(mesh.vertices[a]);
      twiceM2 = twiceM2 + cross(toDouble(mesh.vertices[b]) - at, toDouble(mesh.vertices[c]) - at);
    }
    leaf.areaM2 = 0.5 * length(twiceM2);
    leaf.angleRad = std::acos(std::min(1.0, std::abs(twiceM2.z) / length(twiceM2)));
  }
  return leaves;
}

// Kolmogorov and Smirnov's distance of shares from the uniform distribution, times the root of their number: above 1.95
// with probability 0.001.
double distanceFromUniform(const std::vector<Leaf>& leaves,
                           const std::function<double(const Leaf&)>& shareOf) {
  std::vector<double> shares;
  for (const Leaf& leaf : leaves) shares.push_back(shareOf(leaf));
  std::ranges::sort(shares);
  const auto count = static_cast<double>(shares.size());
  double most = 0.0;
  for (std::size_t index = 0; index < shares.size(); ++index) {
    const double from = static_cast<double>(index) / count;
    most = std::max({most, shares[index] - from, from + 1.0 / count - shares[index]});
  }
  return most * std::sqrt(count);
}

}  // namespace

TEST_CASE("leaf discs have the area of discs of their size, as many as asked and predicted") {
  const MeshBuilder made = makeLeafDiscs(canopy, {});
  CHECK(made.degenerateTriangles == 0);
  CHECK(made.mesh.triangles.size() == trianglesOf(canopy));
  CHECK(std::ranges::all_of(made.mesh.materialOfTriangle,
                            [](std::uint16_t of) { return of == leafMaterial; }));
  const std::vector<Leaf> leaves = leavesOf(canopy);
  CHECK(leaves.size() == canopy.leaves);
  for (const Leaf& leaf : leaves) {
    CHECK(leaf.areaM2 == doctest::Approx(0.25 * piRad * 0.06 * 0.06).epsilon(1e-4));
  }
}

TEST_CASE("places of leaf discs are uniform in the box, and their angles those of the law") {
  for (const LeafAngleLaw law : {LeafAngleLaw::spherical, LeafAngleLaw::erectophile}) {
    LeafDiscsSource source = canopy;
    source.leafAngles = law;
    const std::vector<Leaf> leaves = leavesOf(source);
    CHECK(distanceFromUniform(leaves, [](const Leaf& leaf) { return leaf.placeM.x / 4.0 + 0.5; }) <
          1.95);
    CHECK(distanceFromUniform(leaves, [](const Leaf& leaf) { return leaf.placeM.y / 2.0 + 0.5; }) <
          1.95);
    CHECK(distanceFromUniform(leaves, [](const Leaf& leaf) { return leaf.placeM.z / 3.0; }) < 1.95);
    CHECK(distanceFromUniform(leaves, [law](const Leaf& leaf) {
            return leafAngleShare(law, leaf.angleRad);
          }) < 1.95);
  }
}

TEST_CASE("leaves of a clump are uniform in a ball about its middle; the last clump has the rest") {
  LeafDiscsSource source = canopy;
  source.clumpLeaves = 2000;
  source.clumpRadiusM = 0.4;
  const std::vector<Leaf> leaves = leavesOf(source);
  REQUIRE(leaves.size() == 5000);
  for (const std::size_t first : {std::size_t{0}, std::size_t{2000}, std::size_t{4000}}) {
    const std::size_t end = std::min<std::size_t>(first + 2000, leaves.size());
    const std::vector<Leaf> clump(leaves.begin() + static_cast<std::ptrdiff_t>(first),
                                  leaves.begin() + static_cast<std::ptrdiff_t>(end));
    Vec3d middleM{};
    for (const Leaf& leaf : clump) {
      middleM = middleM + leaf.placeM * (1.0 / static_cast<double>(clump.size()));
    }
    // The mean of the squared distance in a ball is 3/5 of its squared radius; the middle is that of the leaves.
    double squareM2 = 0.0;
    for (const Leaf& leaf : clump) {
      const double distanceM = length(leaf.placeM - middleM);
      CHECK(distanceM < 0.4 * 1.1);
      squareM2 += distanceM * distanceM / static_cast<double>(clump.size());
    }
    // Its standard deviation is 0.26 of the squared radius, of a mean over 1000 leaves 0.014 of the mean.
    CHECK(squareM2 == doctest::Approx(0.6 * 0.16).epsilon(0.05));
  }
}

TEST_CASE("leaf discs are a function of their seed") {
  const Mesh first = makeLeafDiscs(canopy, {}).mesh;
  const Mesh again = makeLeafDiscs(canopy, {}).mesh;
  LeafDiscsSource source = canopy;
  source.seed = 8;
  const Mesh other = makeLeafDiscs(source, {}).mesh;
  const auto isSame = [](Vec3f a, Vec3f b) { return a.x == b.x && a.y == b.y && a.z == b.z; };
  CHECK(std::ranges::equal(first.vertices, again.vertices, isSame));
  CHECK_FALSE(std::ranges::equal(first.vertices, other.vertices, isSame));
}
