// Permeabilities where a line represents several beams (PHYSICS.md, 2.5): the closed forms of learnVolumesTest.cpp hold, and what
// decides the shares of a return is found from a part of its line.
#include <doctest/doctest.h>
#include <tbb/global_control.h>

#include "learn/piercedLines.h"
#include "test/native/support/figureTwo.h"
#include "test/native/support/volumes.h"

using namespace understory;

namespace {

// Four crossings for each beam, and a sample of returns in the rounds before the last.
Counting sampled(double noiseM = 0.0) {
  Counting counting(CountingRule::owner, noiseM);
  counting.maxCrossings = 0;
  return counting;
}

std::vector<PointGroups> groupings(const Beams& beams, double voxelM) {
  return {groupForModel(beams, voxelM, 5, CountingRule::owner, {}),
          groupTopDown(beams, {}, {}, {})};
}

// Sums over lists, by element, of what may be the origin of a return.
struct OriginSums {
  std::uint64_t origins = 0;
  std::uint64_t costs = 0;
  std::uint64_t evenCosts = 0;

  bool operator==(const OriginSums&) const = default;
};

std::vector<OriginSums> originSums(const std::vector<PiercedLists>& lists, std::size_t elements) {
  std::vector<OriginSums> sums(elements);
  for (const PiercedLists& part : lists) {
    for (const Pierced& one : part.pierced) {
      if (one.cost >= costs && one.evenCost >= costs) continue;
      OriginSums& sum = sums[one.element];
      ++sum.origins;
      sum.costs += one.cost;
      sum.evenCosts += one.evenCost;
    }
  }
  return sums;
}

}  // namespace

TEST_CASE("parts of lines hold all that may be the origin of a return, with the same costs") {
  constexpr double noiseM = 0.02;
  Beams beams;
  addSlab(beams, 1.5, 0.8, 30000, 99, WallBehind{1.6, noiseM});
  for (const PointGroups& groups : groupings(beams, 0.2)) {
    const Volumes volumes = volumesOf(beams, groups, 3.5, sampled(noiseM));
    const std::vector<std::uint32_t> ownerOf = groupOfBeam(groups, beams.size());
    const BeamReach reach(maxReachM);
    const Triangles none;
    PiercedModel parts(none, volumes.ellipsoids, noiseM);
    PiercedLines pierced(beams, parts, ownerOf, 0, reach);
    pierced.prepareReturns({});
    const std::size_t elements = volumes.gaussians.size();
    const auto whole = pierced.lines(1, 0, {});
    const auto ofReturns = pierced.returns(1, {});
    CHECK(originSums(ofReturns, elements) == originSums(whole, elements));
    std::size_t crossings = 0;
    for (const PiercedLists& part : ofReturns) crossings += part.pierced.size();
    std::size_t all = 0;
    for (const PiercedLists& part : whole) all += part.pierced.size();
    CHECK(crossings < all);
  }
}

TEST_CASE("slabs keep their optical depth where a line represents several beams") {
  for (const double depth : {0.3, 3.0}) {
    CAPTURE(depth);
    Beams beams;
    addSlab(beams, 1.5, depth / 1.5, 100'000);
    for (const PointGroups& groups : groupings(beams, 0.2)) {
      const Volumes volumes = volumesOf(beams, groups, 3.5, sampled());
      const double found = -std::log(meanTransmission(beams, volumes, 0.8));
      CHECK(found / depth == doctest::Approx(1.0).epsilon(0.05));
    }
  }
}

TEST_CASE("screens keep their transmission where a line represents several beams") {
  for (const double passes : {0.3, 0.7, 0.9}) {
    CAPTURE(passes);
    Beams beams;
    addScreen(beams, 10.2, passes, 20.0, 0.005, 100'000, 5);
    for (const PointGroups& groups : groupings(beams, 0.4)) {
      const Volumes volumes = volumesOf(beams, groups, 3.5, sampled());
      CHECK(std::abs(shareBefore(beams, volumes, 15.0) - passes) < 0.02);
      CHECK(shareBefore(beams, volumes, maxReachM) < 0.01);
    }
  }
}

TEST_CASE("walls pass less than 1 % where a line represents several beams") {
  for (const double degrees : {0.0, 45.0, 80.0}) {
    for (const double noiseM : {0.002, 0.035}) {
      CAPTURE(degrees);
      CAPTURE(noiseM);
      Beams beams;
      const double rad = degrees * piRad / 180.0;
      addPlane(beams, {-10.0, 0.1, 0.2}, {0.03, 0.07, 0.05}, {std::cos(rad), std::sin(rad), 0.1},
               noiseM, 60000, 6);
      for (const PointGroups& groups : groupings(beams, 0.3)) {
        CHECK(leakOf(beams, volumesOf(beams, groups, 3.5, sampled(noiseM)), 3) < 0.01);
      }
    }
  }
}

TEST_CASE("beams of lasers that fire in turn are all represented by lines") {
  // A ball for each laser, which three quarters of its beams pass, and fifteen behind it that return none.
  Beams beams;
  constexpr int lasers = 8;
  std::vector<std::uint32_t> owner;
  for (int at = 0; at < 80'000; ++at) {
    const double y = at % lasers;
    const bool isReturn = at / lasers % 4 == 0;
    if (isReturn) addReturn(beams, {0, y, 0}, {1, 0, 0}, 5.0);
    if (!isReturn) addMiss(beams, {0, y, 0}, {1, 0, 0});
    owner.push_back(isReturn ? static_cast<std::uint32_t>(at % lasers) : noGroup);
  }
  std::vector<Vec3d> means;
  for (int ball = 0; ball < 16; ++ball) {
    for (int laser = 0; laser < lasers; ++laser)
      means.push_back({5.0 + ball, static_cast<double>(laser), 0.0});
  }
  const Ellipsoids balls = ballsAt(means, 0.1);
  const BeamCounts counts = countBeams(beams, balls, owner, sampled(), BeamReach(maxReachM), {});
  for (std::size_t laser = 0; laser < lasers; ++laser) {
    CHECK(counts.hits[laser] == doctest::Approx(2500.0));
    // One line of four: the standard deviation is 0.004.
    CHECK(std::abs(counts.permeability(laser) - 0.75) < 0.016);
  }
}

TEST_CASE("elements that no sampled line pierces pass as much as the others") {
  // A ball that three quarters of its beams pass, and balls that one beam each pierces and ends in.
  Beams beams;
  std::vector<std::uint32_t> owner;
  std::vector<Vec3d> means{{5.0, -1.0, 0.0}};
  for (int at = 0; at < 20'000; ++at) {
    const bool isReturn = at % 4 == 0;
    if (isReturn) addReturn(beams, {0, -1, 0}, {1, 0, 0}, 5.0);
    if (!isReturn) addMiss(beams, {0, -1, 0}, {1, 0, 0});
    owner.push_back(isReturn ? 0U : noGroup);
    if (at % 500 != 0) continue;
    const double y = 0.5 * static_cast<double>(means.size());
    addReturn(beams, {0, y, 0}, {1, 0, 0}, 5.0);
    owner.push_back(static_cast<std::uint32_t>(means.size()));
    means.push_back({5.0, y, 0.0});
    // Crossings, so that a line represents several beams.
    for (int behind = 0; behind < 20; ++behind) means.push_back({20.0 + behind, -1.0, 0.0});
  }
  const Ellipsoids balls = ballsAt(means, 0.1);
  const BeamCounts counts = countBeams(beams, balls, owner, sampled(), BeamReach(maxReachM), {});
  int unpierced = 0;
  for (std::size_t ball = 1; ball < means.size(); ++ball) {
    if (means[ball].y < 0.0) continue;
    CHECK(counts.hits[ball] == doctest::Approx(1.0));
    // A beam that is known to end here alone makes its ball opaque.
    if (counts.permeability(ball) < 0.01) continue;
    // One line of five: the standard deviation is 0.007.
    CHECK(std::abs(counts.permeability(ball) - 0.75) < 0.028);
    ++unpierced;
  }
  CHECK(unpierced > 20);
}

TEST_CASE("counts by lines that represent several beams are the same on any number of threads") {
  Beams beams;
  addSlab(beams, 1.5, 0.8, 60000);
  const PointGroups groups = groupTopDown(beams, {}, {}, {});
  const auto learnt = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    return volumesOf(beams, groups, 3.5, sampled()).counts;
  };
  const BeamCounts one = learnt(1);
  const BeamCounts four = learnt(4);
  CHECK(one.hits == four.hits);
  CHECK(one.misses == four.misses);
}
