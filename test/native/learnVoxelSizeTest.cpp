// The voxel size by held-out likelihood, where it is known which sizes lose (PHYSICS.md, 2.5).
#include <doctest/doctest.h>

#include "learn/voxelSize.h"
#include "test/native/support/beams.h"

using namespace understory;

namespace {

const BeamReach reach(50.0);

// Four sheets 0.3 m apart, each of which stops half of the beams that reach it.
void addSheets(Beams& beams, std::size_t count) {
  RandomStream random(7, RandomPurpose::pointing, 12);
  for (std::size_t at = 0; at < count; ++at) {
    const Vec3d origin{-5.0, random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6)};
    double x = 0.15;
    while (x < 1.2 && random.uniform() < 0.5) x += 0.3;
    if (x < 1.2) {
      addReturn(beams, origin, {1, 0, 0}, 5.0 + x + 0.005 * normalNumber(random));
    } else {
      addMiss(beams, origin, {1, 0, 0});
    }
  }
}

}  // namespace

TEST_CASE("sheets 0.3 m apart are distinguished: no voxel that joins two of them is chosen") {
  Beams beams;
  addSheets(beams, 60'000);
  const double sizeM = chooseVoxelSize(beams, VolumeOptions{}, 5, 3, reach, {});
  CHECK(sizeM <= 0.3);
}

TEST_CASE("few returns of a homogeneous medium are not split into voxels that hold too few") {
  Beams beams;
  // 2.4 x 2.4 x 1.5 m: 1,500 returns are 0.2 in a voxel of 0.1 m, and 11 in one of 0.4 m.
  addSlab(beams, 1.5, 0.8, 2'200);
  const double sizeM = chooseVoxelSize(beams, VolumeOptions{}, 5, 3, reach, {});
  CHECK(sizeM >= 0.3);
}

TEST_CASE("the choice depends on the seed of what is held out alone") {
  Beams beams;
  addSheets(beams, 20'000);
  CHECK(chooseVoxelSize(beams, VolumeOptions{}, 5, 3, reach, {}) ==
        chooseVoxelSize(beams, VolumeOptions{}, 5, 3, reach, {}));
}
