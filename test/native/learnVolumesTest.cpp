// Volume elements: their fit, what counts as a pass, and that a model transmits what the medium does (PHYSICS.md, 2.5).
#include <doctest/doctest.h>
#include <tbb/global_control.h>

#include <algorithm>

#include "learn/topDown.h"
#include "test/native/support/figureTwo.h"
#include "test/native/support/volumes.h"

using namespace understory;

TEST_CASE("two planes with noise become flat Gaussians of that noise") {
  Beams beams;
  const double noiseM = 0.02;
  RandomStream random(3, RandomPurpose::pointing, 1);
  for (const Vec3d normal : {Vec3d{1, 0, 0}, normalized(Vec3d{0, 1, 1})}) {
    const Vec3d u = normalized(cross(normal, {0, 0, 1}));
    const Vec3d v = cross(normal, u);
    for (int at = 0; at < 20000; ++at) {
      const Vec3d point = u * random.uniform(-2, 2) + v * random.uniform(-2, 2) + normal * 9.0;
      addReturn(beams, point - normal * 5.0, normal, 5.0 + noiseM * normalNumber(random));
    }
  }
  const PointGroups groups = groupTopDown(beams, {}, {}, {});
  const std::vector<Gaussian> gaussians = fitGaussians(beams, groups, 0.001, {});
  double squares = 0.0;
  double points = 0.0;
  std::size_t flat = 0;
  for (const Gaussian& gaussian : gaussians) {
    const double alignment = std::max(std::abs(gaussian.thinAxis.x),
                                      std::abs(dot(gaussian.thinAxis, normalized(Vec3d{0, 1, 1}))));
    if (alignment > 0.97) ++flat;
    // A plane that is fitted takes three of n degrees of freedom.
    squares += gaussian.variancesM2[0] * gaussian.points;
    points += gaussian.points - 3.0;
  }
  CHECK(flat > gaussians.size() * 9 / 10);
  CHECK(std::sqrt(squares / points) / noiseM == doctest::Approx(1.0).epsilon(0.03));
}

TEST_CASE("an element that 40 beams pierce and 10 end in has permeability 0.8") {
  Beams beams;
  for (int at = 0; at < 10; ++at) addReturn(beams, {0, 0.01 * at - 0.05, 0}, {1, 0, 0}, 5.0);
  for (int at = 0; at < 40; ++at) addMiss(beams, {0, 0.002 * at - 0.04, 0.03}, {1, 0, 0});
  const Ellipsoids ball = ballsAt({{5, 0, 0}}, 0.1);
  for (const CountingRule rule : {CountingRule::owner, CountingRule::ellipsoid}) {
    std::vector<std::uint32_t> owner(beams.size(), noGroup);
    std::fill_n(owner.begin(), 10, 0U);
    const BeamCounts counts = countBeams(beams, ball, owner, rule, BeamReach(maxReachM), {});
    CHECK(counts.hits[0] == 10);
    CHECK(counts.misses[0] == 40);
    CHECK(counts.permeability(0) == doctest::Approx(0.8));
  }
}

TEST_CASE("beams that end before an element count neither way, as in figure 2 of Deschaud 2012") {
  for (const CountingRule rule : {CountingRule::owner, CountingRule::ellipsoid}) {
    const FigureTwo found = figureTwoBy(rule);
    CHECK(found.left == doctest::Approx(0.25));
    CHECK(found.right == 0.0);
  }
}

TEST_CASE("beams whose return is unknown do not count") {
  Beams beams = beamsOfFigureTwo();
  addBeam(beams, {0, 0, 0}, {1, 0, 0}, std::nan(""), BeamState::unknown);
  const BeamCounts counts =
      countBeams(beams, ballsAt({{5, 0, 0}}, 0.1), {0, 0, 0, noGroup, noGroup}, CountingRule::owner,
                 BeamReach(maxReachM), {});
  CHECK(counts.misses[0] == 1);
}

TEST_CASE("a homogeneous slab keeps its optical depth by owner") {
  Beams beams;
  const double depthM = 1.5;
  const double perM = 0.5 * 1.6;  // G · leaf area density
  addSlab(beams, depthM, perM, 120000);
  PointGroups groups = groupByVoxel(beams, {}, 0.3, 100, {});
  CHECK(groups.size() >= 250);
  const double expected = perM * depthM;
  const Volumes owner = volumesOf(beams, groups, 3.5, CountingRule::owner);
  const double depth = -std::log(meanTransmission(beams, owner, 0.8));
  CHECK(depth == doctest::Approx(expected).epsilon(0.1));
  const Volumes papers = volumesOf(beams, groups, 3.5, CountingRule::ellipsoid);
  const double paperDepth = -std::log(meanTransmission(beams, papers, 0.8));
  MESSAGE("optical depth by owner: ", depth / expected, ", by ellipsoid: ", paperDepth / expected,
          " of the medium's");
  CHECK(paperDepth > 2.0 * expected);
}

TEST_CASE("a thin screen keeps its transmission by owner, on and off a face of voxels") {
  for (const double screenM : {10.0, 10.2}) {
    for (const double passes : {0.3, 0.7, 0.9}) {
      CAPTURE(screenM);
      CAPTURE(passes);
      Beams beams;
      addScreen(beams, screenM, passes, 20.0, 0.005, 40000, 5);
      const auto check = [&](PointGroups groups) {
        const Volumes volumes = volumesOf(beams, std::move(groups), 3.5, CountingRule::owner);
        CHECK(std::abs(shareBefore(beams, volumes, 15.0) - passes) < 0.02);
        CHECK(shareBefore(beams, volumes, maxReachM) < 0.01);
      };
      check(groupForModel(beams, 0.4, 5, CountingRule::owner, {}));
      check(groupTopDown(beams, {}, {}, {}));
    }
  }
}

TEST_CASE("neither small voxels, more beams nor dense plants change the optical depth by owner") {
  for (const double depth : {0.3, 3.0}) {
    for (const std::size_t count : {20'000U, 100'000U}) {
      CAPTURE(depth);
      CAPTURE(count);
      Beams beams;
      addSlab(beams, 1.5, depth / 1.5, count);
      const auto check = [&](PointGroups groups) {
        const Volumes volumes = volumesOf(beams, std::move(groups), 3.5, CountingRule::owner);
        const double found = -std::log(meanTransmission(beams, volumes, 0.8));
        CHECK(found / depth == doctest::Approx(1.0).epsilon(0.06));
      };
      for (const double voxelM : {0.1, 0.2, 0.5}) {
        check(groupForModel(beams, voxelM, 5, CountingRule::owner, {}));
      }
      check(groupTopDown(beams, {}, {}, {}));
    }
  }
}

TEST_CASE("plants before a wall keep their optical depth by owner, whatever its noise") {
  constexpr double depth = 1.2;
  constexpr double toM = 1.5;
  for (const double gapM : {0.05, 0.3}) {
    for (const double noiseM : {0.002, 0.02}) {
      CAPTURE(gapM);
      CAPTURE(noiseM);
      Beams beams;
      addSlab(beams, toM, depth / toM, 40000, 99, WallBehind{toM + gapM, noiseM});
      const auto check = [&](PointGroups groups) {
        const Volumes volumes =
            volumesOf(beams, std::move(groups), 3.5, CountingRule::owner, noiseM);
        const double found = -std::log(shareBefore(beams, volumes, toM + gapM / 2));
        CHECK(found / depth == doctest::Approx(1.0).epsilon(0.05));
        // Elements that hold the ends of plants and the wall let some of the 30 % pass that reach them.
        CHECK(shareBefore(beams, volumes, maxReachM) < 0.02);
      };
      check(groupForModel(beams, 0.2, 5, CountingRule::owner, {}));
      check(groupTopDown(beams, {}, {}, {}));
    }
  }
}

TEST_CASE("returns of sparse voxels are pooled in larger ones by owner") {
  Beams beams;
  addSlab(beams, 1.5, 0.8, 3000);
  const PointGroups papers = groupForModel(beams, 0.2, 5, CountingRule::ellipsoid, {});
  const PointGroups pooled = groupForModel(beams, 0.2, 5, CountingRule::owner, {});
  const std::size_t returns = returnsOf(beams).size();
  CHECK(papers.members.size() < returns / 2);
  CHECK(pooled.members.size() > returns * 98 / 100);
  std::vector<std::uint32_t> members = pooled.members;
  std::ranges::sort(members);
  CHECK(std::ranges::adjacent_find(members) == members.end());
}

TEST_CASE("opaque planes pass less than 1 % by owner at any slant and noise") {
  for (const double degrees : {0.0, 45.0, 70.0, 80.0}) {
    for (const double noiseM : {0.002, 0.035}) {
      CAPTURE(degrees);
      CAPTURE(noiseM);
      Beams beams;
      const double rad = degrees * piRad / 180.0;
      addPlane(beams, {-10.0, 0.1, 0.2}, {0.03, 0.07, 0.05}, {std::cos(rad), std::sin(rad), 0.1},
               noiseM, 30000, 6);
      const auto check = [&](PointGroups groups) {
        const Volumes wall = volumesOf(beams, std::move(groups), 3.5, CountingRule::owner, noiseM);
        CHECK(leakOf(beams, wall, 3) < 0.01);
      };
      check(groupForModel(beams, 0.3, 5, CountingRule::owner, {}));
      check(groupTopDown(beams, {}, {}, {}));
    }
  }
}

TEST_CASE("beams past the border of a wall make no wall permeable") {
  // Few returns lie beyond the face of a voxel, 0.03 m from the wall, and are pooled: their elements reach beyond the border.
  constexpr double halfM = 2.0;
  constexpr double pastM = 2.3;
  for (const double degrees : {45.0, 60.0}) {
    CAPTURE(degrees);
    Beams beams;
    RandomStream random(7, RandomPurpose::pointing, 11);
    const double rad = degrees * piRad / 180.0;
    std::uint64_t stream = 20;
    for (const double towards : {0.5, 0.7, 0.2}) {
      const Vec3d centreM{0.0, 0.0, 0.13};
      const Vec3d normal{std::sin(rad) * std::cos(towards), std::sin(rad) * std::sin(towards),
                         std::cos(rad)};
      const Vec3d fromM = centreM + normal * 25.0;
      addPlane(beams, fromM, centreM, {0.0, 0.0, 1.0}, 0.02, 15000, stream++);
      for (int at = 0; at < 20000; ++at) {
        const Vec3d past{random.uniform(-pastM, pastM), random.uniform(-pastM, pastM), 0.0};
        if (std::max(std::abs(past.x), std::abs(past.y)) < halfM) continue;
        addMiss(beams, fromM, centreM + past - fromM);
      }
    }
    const PointGroups groups = groupForModel(beams, 0.1, 5, CountingRule::owner, {});
    const Volumes wall = volumesOf(beams, groups, 3.5, CountingRule::owner, 0.02);
    CHECK(leakOf(beams, wall, 3) < 0.01);
  }
}

TEST_CASE("each beam passes what lies within the range of its own sensor") {
  Beams beams;
  for (int at = 0; at < 10; ++at) addReturn(beams, {0, 0.01 * at - 0.05, 0}, {1, 0, 0}, 8.0);
  for (int at = 0; at < 30; ++at) addMiss(beams, {0, 0.002 * at - 0.03, 0}, {1, 0, 0});
  beams.logStarts = {0, 10};
  std::vector<LogHead> heads(2);
  heads[0].maxRangeM = 50.0;
  heads[1].maxRangeM = 6.0;
  const BeamReach reach(beams, heads);
  CHECK(reach.maxM(9) == 50.0);
  CHECK(reach.maxM(10) == 6.0);
  CHECK(reach.maxM() == 50.0);
  std::vector<std::uint32_t> owner(beams.size(), noGroup);
  std::fill_n(owner.begin(), 10, 0U);
  for (const CountingRule rule : {CountingRule::owner, CountingRule::ellipsoid}) {
    const BeamCounts counts = countBeams(beams, ballsAt({{8, 0, 0}}, 0.1), owner, rule, reach, {});
    CHECK(counts.hits[0] == 10.0);
    CHECK(counts.misses[0] == 0.0);
  }
  heads[0].maxRangeM.reset();
  CHECK(BeamReach(beams, heads).maxM(0) == 8.0);
  heads[0].maxRangeM = 7.0;
  CHECK(BeamReach(beams, heads).beyond(beams) == 10);
}

TEST_CASE("an opaque slanted plane passes less than 1 %") {
  Beams beams;
  addPlane(beams, {-6, -8, 1.5}, {0, 0, 0}, {1, 0.1, 0.2}, 0.01, 60000, 5);
  const auto check = [&](PointGroups groups, double tau) {
    const Volumes wall = volumesOf(beams, std::move(groups), tau, CountingRule::owner);
    CHECK(leakOf(beams, wall, 1) < 0.01);
  };
  // Flat elements end at 3.5, also where others end at 2.
  for (const double tau : {2.0, 3.5}) {
    check(groupByVoxel(beams, {}, 0.3, 5, {}), tau);
    check(groupTopDown(beams, {}, {}, {}), tau);
  }
}

TEST_CASE("clusters and counts are the same on one thread and on several") {
  Beams beams;
  addSlab(beams, 1.5, 0.8, 60000);
  const auto learnt = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    TopDownOptions options;
    options.seed = 11;
    return volumesOf(beams, groupTopDown(beams, {}, options, {}), 3.5, CountingRule::owner);
  };
  const Volumes one = learnt(1);
  const Volumes four = learnt(4);
  CHECK(one.groups.members == four.groups.members);
  CHECK(one.groups.starts == four.groups.starts);
  CHECK(one.counts.hits == four.counts.hits);
  CHECK(one.counts.misses == four.counts.misses);
}

TEST_CASE("returns far from all others are in no cluster") {
  Beams beams;
  addSlab(beams, 1.5, 0.8, 40000);
  const std::size_t returns = returnsOf(beams).size();
  RandomStream random(5, RandomPurpose::clusters, 0);
  for (int stray = 0; stray < 23; ++stray) {
    const Vec3d direction = normalized(Vec3d{random.uniform(-1, 1), 1.0, random.uniform(0.1, 1)});
    addReturn(beams, {0, 50, 0}, direction, random.uniform(10, 110));
  }
  const PointGroups groups = groupTopDown(beams, {}, {}, {});
  CHECK(groups.members.size() == returns);
  for (const Gaussian& gaussian : fitGaussians(beams, groups, 0.001, {})) {
    CHECK(std::sqrt(gaussian.variancesM2[2]) < 2.0);
  }
}

TEST_CASE("clusters have between the least and the largest number of points") {
  Beams beams;
  addSlab(beams, 1.5, 0.8, 40000);
  for (const std::uint32_t means : {10U, 2U}) {
    TopDownOptions options;
    options.means = means;
    const PointGroups groups = groupTopDown(beams, {}, options, {});
    CHECK(groups.members.size() == returnsOf(beams).size());
    std::size_t least = groups.members.size();
    std::size_t most = 0;
    for (std::size_t group = 0; group < groups.size(); ++group) {
      const std::size_t points = groups.starts[group + 1] - groups.starts[group];
      least = std::min(least, points);
      most = std::max(most, points);
    }
    CHECK(least >= options.minPoints);
    CHECK(most < options.stopPoints);
  }
}
