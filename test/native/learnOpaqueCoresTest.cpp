// Elements that are opaque in the middle are named: poles between beams that pass beside them, and neither foliage nor walls.
#include <doctest/doctest.h>

#include "learn/opaqueCores.h"
#include "learn/volumeModel.h"
#include "test/native/support/volumes.h"

using namespace understory;

namespace {

OpaqueCores coresOf(const Beams& beams, const PointGroups& groups, double noiseM) {
  const BeamReach reach(maxReachM);
  VolumeOptions options;
  options.noiseM = noiseM;
  const LearnedElements elements = elementsOf(beams, groups, options, reach, {});
  const Ellipsoids ellipsoids(gaussiansOf(elements), options.mahalanobisLimit, options.counting);
  return opaqueCores(beams, elements.seen.permeability, ellipsoids, reach, {});
}

// A pole along z seen from four sides, by beams up to a metre beside it.
void addPole(Beams& beams, double radiusM, std::size_t count) {
  RandomStream random(7, RandomPurpose::pointing, 5);
  constexpr double awayM = 6.0;
  for (std::size_t at = 0; at < count; ++at) {
    const double towards = 0.5 * piRad * static_cast<double>(at % 4) + 0.3;
    const Vec3d forward{std::cos(towards), std::sin(towards), 0.0};
    const Vec3d side{-forward.y, forward.x, 0.0};
    const double besideM = random.uniform(-1.0, 1.0);
    const Vec3d fromM =
        forward * -awayM + side * besideM + Vec3d{0.03, 0.04, random.uniform(0.0, 2.0)};
    if (std::abs(besideM) >= radiusM) {
      addMiss(beams, fromM, forward);
      continue;
    }
    const double depthM = std::sqrt(radiusM * radiusM - besideM * besideM);
    addReturn(beams, fromM, forward, awayM - depthM + 0.005 * normalNumber(random));
  }
}

}  // namespace

TEST_CASE("trunks and poles between beams that pass them are named") {
  const auto check = [](const Beams& beams, const PointGroups& groups) {
    const OpaqueCores cores = coresOf(beams, groups, 0.005);
    CHECK(cores.parts > 0);
    CHECK(cores.passedShare() > 0.2);
    // At the pole, between its ends.
    CHECK(std::hypot(cores.maxPassedAtM.x, cores.maxPassedAtM.y) < 0.3);
    CHECK(std::abs(cores.maxPassedAtM.z - 1.0) < 1.1);
  };
  for (const double radiusM : {0.1, 0.15}) {
    CAPTURE(radiusM);
    Beams trunk;
    addPole(trunk, radiusM, 60000);
    check(trunk, groupForModel(trunk, 0.5, 5, CountingRule::owner, {}));
    check(trunk, groupTopDown(trunk, {}, {}, {}));
  }
  Beams pole;
  addPole(pole, 0.03, 60000);
  check(pole, groupForModel(pole, 0.5, 5, CountingRule::owner, {}));
  check(pole, groupForModel(pole, 0.1, 5, CountingRule::owner, {}));
}

TEST_CASE("few elements of foliage and walls are named as trunks") {
  Beams slab;
  addSlab(slab, 1.5, 0.8, 60000);
  Beams wall;
  addPlane(wall, {-10.0, 0.1, 0.2}, {0.03, 0.07, 0.05}, {1.0, 0.0, 0.1}, 0.01, 30000, 6);
  for (const Beams* beams : {&slab, &wall}) {
    for (const PointGroups& groups : {groupForModel(*beams, 0.3, 5, CountingRule::owner, {}),
                                      groupTopDown(*beams, {}, {}, {})}) {
      // A wall has some at the faces of voxels, which its other elements cover.
      CHECK(20 * coresOf(*beams, groups, 0.01).parts <= groups.starts.size());
    }
  }
}
