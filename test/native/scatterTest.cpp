// Scatters: where copies may be, how far apart, and what they depend on.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <thread>

#include "core/assembly/scatter.h"
#include "core/assembly/scatterArea.h"
#include "core/error.h"

using namespace understory;

namespace {

double flat(double, double) { return 0.0; }

// An L: the unit squares (0,0), (1,0) and (0,1), times 50 m.
ScatterRecipe lShape(std::uint32_t count) {
  ScatterRecipe scatter;
  scatter.name = "copies";
  scatter.firstId = 100;
  scatter.count = count;
  scatter.areaM = {{0, 0}, {100, 0}, {100, 50}, {50, 50}, {50, 100}, {0, 100}};
  scatter.yawRad = {-1.0, 2.0};
  scatter.scale = {0.5, 1.5};
  scatter.tiltRad = {0.1, 0.2};
  scatter.keepClear = {{{25, 25}, 10}, {{100, 0}, 20}};
  return scatter;
}

bool isSameInstance(const Instance& a, const Instance& b) {
  return a.id == b.id && a.positionM.x == b.positionM.x && a.positionM.y == b.positionM.y &&
         a.rotation.w == b.rotation.w && a.scale == b.scale;
}

double nearestM(const std::vector<Instance>& copies) {
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < copies.size(); ++a) {
    for (std::size_t b = a + 1; b < copies.size(); ++b) {
      nearest = std::min(nearest, std::hypot(copies[a].positionM.x - copies[b].positionM.x,
                                             copies[a].positionM.y - copies[b].positionM.y));
    }
  }
  return nearest;
}

}  // namespace

TEST_CASE("uniform copies are in the polygon, outside of kept-clear discs, spread evenly") {
  const ScatterRecipe scatter = lShape(20000);
  const auto slope = [](double xM, double yM) { return 0.1 * xM - 0.2 * yM; };
  const std::vector<Instance> copies = placeScatter(scatter, 3, 7, slope);
  REQUIRE(copies.size() == 20000);
  std::size_t inEast = 0;
  for (std::size_t n = 0; n < copies.size(); ++n) {
    const Vec3d at = copies[n].positionM;
    CHECK(copies[n].id == 100 + n);
    CHECK((at.x >= 0 && at.y >= 0 && at.x <= 100 && at.y <= 100 && (at.x <= 50 || at.y <= 50)));
    CHECK(std::hypot(at.x - 25, at.y - 25) >= 10.0);
    CHECK(std::hypot(at.x - 100, at.y) >= 20.0);
    CHECK(at.z == slope(at.x, at.y));
    CHECK((copies[n].scale >= 0.5 && copies[n].scale < 1.5));
    // The tilt is what is left of the vertical; yaw does not change it.
    const double tiltRad = std::acos(rotate(copies[n].rotation, {0, 0, 1}).z);
    CHECK((tiltRad > 0.1 - 1e-9 && tiltRad < 0.2 + 1e-9));
    if (at.x > 50) ++inEast;
  }
  // Areas: the east square loses a quarter disc, the south-west one a whole disc. Binomial, 5 sigma.
  const double eastM2 = 2500 - 0.25 * piRad * 400;
  const double share = eastM2 / (7500 - 0.25 * piRad * 400 - piRad * 100);
  const double sigma = std::sqrt(20000 * share * (1 - share));
  CHECK(std::abs(static_cast<double>(inEast) - 20000 * share) < 5.0 * sigma);
}

TEST_CASE("a copy depends on the seed, the scatter's place in the list and its number only") {
  const auto copies = placeScatter(lShape(500), 3, 7, flat);
  const auto more = placeScatter(lShape(900), 3, 7, flat);
  CHECK(std::equal(copies.begin(), copies.end(), more.begin(), isSameInstance));
  const auto otherSeed = placeScatter(lShape(500), 3, 8, flat);
  const auto otherIndex = placeScatter(lShape(500), 4, 7, flat);
  for (std::size_t n = 0; n < 500; ++n) {
    CHECK_FALSE(isSameInstance(copies[n], otherSeed[n]));
    CHECK_FALSE(isSameInstance(copies[n], otherIndex[n]));
  }
}

TEST_CASE("Poisson-disk copies keep their distance, and fill the area") {
  ScatterRecipe scatter = lShape(100000);
  scatter.pattern = ScatterPattern::poissonDisk;
  scatter.minSpacingM = 3.0;
  const auto copies = placeScatter(scatter, 0, 1, flat);
  CHECK(nearestM(copies) >= 3.0);
  // Random sequential packing of discs of 3 m saturates at a cover of 0.547 (Feder 1980), more with the
  // free edge; 40 darts for each of 100,000 come near it.
  const double areaM2 = 7500 - 0.25 * piRad * 400 - piRad * 100;
  const double cover = static_cast<double>(copies.size()) * piRad * 1.5 * 1.5 / areaM2;
  CHECK((cover > 0.53 && cover < 0.68));
  CHECK(copies.size() < scatter.count);
  const auto again = placeScatter(scatter, 0, 1, flat);
  REQUIRE(copies.size() == again.size());
  CHECK(std::equal(copies.begin(), copies.end(), again.begin(), isSameInstance));
}

TEST_CASE("Poisson-disk copies that have room are all placed, all over the area") {
  ScatterRecipe scatter = lShape(46);
  scatter.pattern = ScatterPattern::poissonDisk;
  scatter.minSpacingM = 5.0;
  const auto copies = placeScatter(scatter, 0, 1, flat);
  CHECK(copies.size() == 46);
  CHECK(nearestM(copies) >= 5.0);
  std::map<bool, int> byHalf;
  for (const Instance& copy : copies) ++byHalf[copy.positionM.x > 50];
  CHECK(byHalf[true] >= 5);
}

TEST_CASE("an area without room is refused, and a scatter can be cancelled") {
  ScatterRecipe scatter = lShape(10);
  scatter.keepClear = {{{50, 50}, 100}};
  CHECK_THROWS_AS(placeScatter(scatter, 0, 1, flat), UnderstoryError);
  const std::atomic<bool> isCancelled{true};
  CHECK_THROWS_AS(placeScatter(lShape(10), 0, 1, flat, {nullptr, &isCancelled}), UnderstoryError);
}

TEST_CASE("a uniform scatter in a thin area can be cancelled between two copies") {
  // A diagonal strip that one dart in twenty thousand hits: without a check by darts it would take minutes.
  ScatterRecipe strip = lShape(15'000);
  strip.areaM = {{0, 0}, {0.005, 0}, {100, 99.995}, {100, 100}, {99.995, 100}, {0, 0.005}};
  strip.keepClear.clear();
  std::atomic<bool> isCancelled{false};
  std::thread canceller([&] { isCancelled = true; });
  CHECK_THROWS_WITH_AS(placeScatter(strip, 0, 1, flat, {nullptr, &isCancelled}),
                       "the work was cancelled", UnderstoryError);
  canceller.join();
}
