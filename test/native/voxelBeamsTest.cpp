// Beams through voxels: sums that add up, a turbid medium whose density is known, and no order of threads.
#include <doctest/doctest.h>
#include <tbb/global_control.h>

#include <cmath>

#include "learn/voxelBeams.h"
#include "test/native/support/beams.h"

using namespace understory;

namespace {

VoxelBeamsOptions optionsOf(Vec3d minM, double voxelM, std::array<std::uint32_t, 3> split) {
  VoxelBeamsOptions options;
  options.space = {minM, {voxelM, voxelM, voxelM}, split};
  return options;
}

double sumOf(const VoxelBeams& voxels, const VoxelSpace& grid, VoxelSum sum) {
  double all = 0.0;
  for (std::size_t voxel = 0; voxel < grid.voxels(); ++voxel) all += voxels.sum(voxel, sum);
  return all;
}

// Sums are rounded to 2⁻³² m for each beam and voxel.
constexpr double toleranceM = 1e-5;

}  // namespace

TEST_CASE("lengths of lines add up to what a box has of them, at any angle") {
  const VoxelBeamsOptions options = optionsOf({-1.0, -1.5, 0.5}, 0.25, {8, 12, 4});
  RandomStream random(3, RandomPurpose::pointing, 5);
  double expectedM = 0.0;
  Beams beams;
  for (int at = 0; at < 2000; ++at) {
    const Vec3d origin{random.uniform(-4, 4), random.uniform(-4, 4), random.uniform(-4, 4)};
    const Vec3d direction =
        normalized(Vec3d{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)});
    addMiss(beams, origin, direction);
    // The same in steps: a point counts where it lies in the box.
    const Vec3d from = toDouble(beams.originM.back());
    const Vec3d along = toDouble(beams.direction.back());
    double lowM = 0.0;
    double highM = 30.0;
    const std::array<std::array<double, 4>, 3> slabs{
        {{from.x, along.x, -1.0, 1.0}, {from.y, along.y, -1.5, 1.5}, {from.z, along.z, 0.5, 1.5}}};
    for (const auto& [start, slope, low, high] : slabs) {
      lowM = std::max(lowM, std::min((low - start) / slope, (high - start) / slope));
      highM = std::min(highM, std::max((low - start) / slope, (high - start) / slope));
    }
    expectedM += std::max(0.0, highM - lowM);
  }
  VoxelBeams voxels(options);
  voxels.add(beams, {}, {});
  REQUIRE(expectedM > 100.0);
  CHECK(std::abs(sumOf(voxels, options.space, VoxelSum::line) - expectedM) < toleranceM);
  CHECK(std::abs(sumOf(voxels, options.space, VoxelSum::path) - expectedM) < toleranceM);
  CHECK(sumOf(voxels, options.space, VoxelSum::hits) == 0.0);
}

TEST_CASE(
    "a beam has met what is at its end, in the voxel that it ends in, and reaches none behind") {
  VoxelBeamsOptions options = optionsOf({0.0, 0.0, 0.0}, 1.0, {4, 1, 1});
  options.leaves = LeafLaw(LeafAngleLaw::planophile);
  const double projection = options.leaves.projection(0.0);
  Beams beams;
  addReturn(beams, {-1.0, 0.5, 0.5}, {1, 0, 0}, 2.25);  // in the second voxel
  addReturn(beams, {-1.0, 0.5, 0.5}, {1, 0, 0}, 3.0);   // on the plane to the third
  addReturn(beams, {-1.0, 0.5, 0.5}, {1, 0, 0}, 9.0);   // behind the box
  VoxelBeams voxels(options);
  voxels.add(beams, {}, {});
  const auto of = [&](std::size_t voxel, VoxelSum sum) { return voxels.sum(voxel, sum); };
  CHECK(voxels.sum(1, VoxelSum::beams) == 3);
  CHECK(voxels.sum(2, VoxelSum::beams) == 2);
  CHECK(voxels.sum(3, VoxelSum::beams) == 1);
  for (const std::size_t voxel : {0U, 1U, 2U, 3U}) CHECK(voxels.sum(voxel, VoxelSum::lines) == 3);
  CHECK(of(1, VoxelSum::hits) == 1.0);
  CHECK(of(2, VoxelSum::hits) == 1.0);
  CHECK(of(3, VoxelSum::hits) == 0.0);
  CHECK(of(1, VoxelSum::path) == doctest::Approx(2.25));
  CHECK(of(1, VoxelSum::line) == doctest::Approx(3.0));
  CHECK(of(1, VoxelSum::free) == doctest::Approx(projection * 2.25));
  CHECK(of(1, VoxelSum::potential) == doctest::Approx(projection * 3.0));
  CHECK(of(1, VoxelSum::hitEffective) == doctest::Approx(projection * 0.25));
}

TEST_CASE("shares, surfaces, ranges of the sensor and the size of leaves count") {
  VoxelBeamsOptions options = optionsOf({0.0, 0.0, 0.0}, 1.0, {4, 1, 1});
  options.oneLeafM2 = 0.2;
  Beams beams;
  addReturn(beams, {-1.0, 0.5, 0.5}, {1, 0, 0}, 2.5);
  addReturn(beams, {-1.0, 0.5, 0.5}, {1, 0, 0}, 2.5);
  addMiss(beams, {-1.0, 0.5, 0.5}, {1, 0, 0});
  beams.share = {0.25F, 1.0F, 0.75F};
  beams.label = {static_cast<std::uint8_t>(BeamLabel::volume),
                 static_cast<std::uint8_t>(BeamLabel::surface), 0};
  VoxelBeams voxels(options);
  voxels.setRange(1.5, 3.5);
  voxels.add(beams, {}, {});
  CHECK(voxels.sum(1, VoxelSum::hits) == 0.25);
  CHECK(voxels.sum(0, VoxelSum::path) == doctest::Approx(2 * 0.5));
  CHECK(voxels.sum(2, VoxelSum::path) == doctest::Approx(0.75 * 0.5));
  CHECK(voxels.sum(3, VoxelSum::beams) == 0);
  const double ofLeaf = 0.5 * 0.2;
  const double effectiveM = -std::log(1.0 - ofLeaf * 0.5) / ofLeaf;
  CHECK(voxels.sum(1, VoxelSum::hitEffective) == doctest::Approx(0.25 * 0.5 * effectiveM));
}

TEST_CASE(
    "in a turbid medium hits over free paths are its density, and so on any number of threads") {
  const double perM = 0.8;
  Beams beams;
  addSlab(beams, 4.0, perM, 200'000);
  const VoxelBeamsOptions options = optionsOf({0.0, -1.0, -1.0}, 0.5, {8, 4, 4});
  std::vector<double> first;
  for (const std::size_t threads : {1U, 4U}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    VoxelBeams voxels(options);
    voxels.add(beams, {}, {});
    std::vector<double> sums;
    double worst = 0.0;
    for (std::size_t voxel = 0; voxel < options.space.voxels(); ++voxel) {
      for (std::size_t sum = 0; sum < static_cast<std::size_t>(VoxelSum::count); ++sum) {
        sums.push_back(voxels.sum(voxel, static_cast<VoxelSum>(sum)));
      }
      if (voxels.sum(voxel, VoxelSum::beams) < 100) continue;
      const double hits = voxels.sum(voxel, VoxelSum::hits);
      const double freeM = voxels.sum(voxel, VoxelSum::free) / 0.5;
      worst = std::max(worst, std::abs(hits / freeM - perM) / (perM / std::sqrt(hits)));
    }
    // 128 voxels: the largest of as many normal numbers is above 4.5 once in a thousand times.
    CHECK(worst < 4.5);
    if (first.empty()) first = sums;
    CHECK(sums == first);
  }
}

TEST_CASE("beams that a screen stops are missing behind it, where their lines cross voxels") {
  // A screen of 0.2 × 0.2 m at x = 2 stops a quarter of the lines from the origin through one of the voxels behind it.
  const VoxelBeamsOptions options = optionsOf({3.5, -1.0, -1.0}, 1.0, {1, 2, 2});
  constexpr int perSide = 40;
  Beams beams;
  for (int row = 0; row < perSide; ++row) {
    for (int column = 0; column < perSide; ++column) {
      const auto middle = [](int index) { return (index + 0.5) / perSide * 1.6 - 0.8; };
      const Vec3d end{4.0, middle(row), middle(column)};
      const Vec3d atScreen = end * 0.5;
      const bool isStopped =
          atScreen.y > 0.0 && atScreen.y < 0.2 && atScreen.z > 0.0 && atScreen.z < 0.2;
      if (isStopped)
        addReturn(beams, {}, end, std::sqrt(dot(atScreen, atScreen)));
      else
        addMiss(beams, {}, end);
    }
  }
  VoxelBeams voxels(options);
  voxels.add(beams, {}, {});
  for (std::size_t voxel = 0; voxel < 4; ++voxel) {
    // Every line of a quadrant crosses its voxel. The screen covers 10 × 10 of the 20 × 20 of the upper quadrant.
    CHECK(voxels.sum(voxel, VoxelSum::lines) == 400);
    CHECK(voxels.sum(voxel, VoxelSum::beams) == (voxel == 3 ? 300 : 400));
  }
}

TEST_CASE("paths count by the projection of the leaves at their zenith angle") {
  VoxelBeamsOptions options = optionsOf({-1.0, -1.0, -1.0}, 2.0, {1, 1, 1});
  options.leaves = LeafLaw(LeafAngleLaw::planophile);
  for (const double zenithDeg : {0.0, 30.5, 90.0}) {
    const double angle = zenithDeg * piRad / 180.0;
    Beams beams;
    addMiss(beams, {0.0, 0.0, 0.0}, {std::sin(angle), 0.0, -std::cos(angle)});
    VoxelBeams voxels(options);
    voxels.add(beams, {}, {});
    const double ratio = voxels.sum(0, VoxelSum::free) / voxels.sum(0, VoxelSum::path);
    CHECK(ratio == doctest::Approx(options.leaves.projection(std::cos(angle))).epsilon(1e-5));
  }
}
