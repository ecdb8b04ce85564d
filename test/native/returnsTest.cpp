// Return modes on hits made by hand: Goodin 2018, section 3.2.3.
#include <doctest/doctest.h>

#include <vector>

#include "core/returns/returns.h"
#include "test/native/support/hits.h"

using namespace understory;

namespace {

struct Returned {
  std::vector<PulseReturn> returns;
  std::size_t count = 0;
};

Returned evaluate(const std::vector<RayHit>& hits, ReturnMode mode, double cutoffM,
                  bool isWindowed = false) {
  const auto found = evaluateReturns(hits, {mode, cutoffM, isWindowed});
  if (!found) return {};
  return {{*found}, 1};
}

// A leaf at 10 m met by two rays, a bright stem at 10.5, a wall at 14 met by three rays.
const std::vector<RayHit> shrubRays{
    {14.0F, 0.20F, ninth, 3, 0}, {10.5F, 0.80F, ninth, 2, 7}, {10.0F, 0.30F, ninth, 1, 4},
    {14.2F, 0.25F, ninth, 3, 1}, {10.1F, 0.10F, ninth, 1, 5}, {14.1F, 0.22F, ninth, 3, 0},
};

}  // namespace

TEST_CASE("no hit, no return") {
  for (const ReturnMode mode :
       {ReturnMode::strongest, ReturnMode::last, ReturnMode::first, ReturnMode::closest}) {
    CHECK(evaluate({}, mode, 1.0).count == 0);
  }
}

TEST_CASE("first averages range and intensity over the cutoff behind the nearest hit") {
  const Returned out = evaluate(shrubRays, ReturnMode::first, 1.0);
  REQUIRE(out.count == 1);
  CHECK(out.returns[0].rangeM == doctest::Approx((10.0 + 10.1 + 10.5) / 3.0).epsilon(1e-7));
  CHECK(out.returns[0].intensity == doctest::Approx((0.3 + 0.1 + 0.8) / 3.0).epsilon(1e-7));
  CHECK(out.returns[0].beamShare == doctest::Approx(3.0 / 9.0).epsilon(1e-7));
  CHECK(out.returns[0].decidingHit == 2);
  // The cutoff takes in the hit that lies exactly on it (10.5 is exact), and no other.
  CHECK(evaluate(shrubRays, ReturnMode::first, 0.5).returns[0].beamShare ==
        doctest::Approx(3.0 / 9.0));
  CHECK(evaluate(shrubRays, ReturnMode::first, 0.25).returns[0].beamShare ==
        doctest::Approx(2.0 / 9.0));
  CHECK(evaluate(shrubRays, ReturnMode::first, 0.0).returns[0].rangeM == 10.0F);
  CHECK(evaluate(shrubRays, ReturnMode::first, 5.0).returns[0].beamShare ==
        doctest::Approx(6.0 / 9.0));
}

TEST_CASE("strongest returns the brightest hit, not the nearest, without averaging") {
  const Returned out = evaluate(shrubRays, ReturnMode::strongest, 0.45);
  REQUIRE(out.count == 1);
  CHECK(out.returns[0].rangeM == 10.5F);
  CHECK(out.returns[0].intensity == 0.8F);
  CHECK(out.returns[0].decidingHit == 1);
  // Either side of the returned range: 10.1 and 10.5, not 10.0.
  CHECK(out.returns[0].beamShare == doctest::Approx(2.0 / 9.0));
}

TEST_CASE("last returns the farthest hit, closest the nearest") {
  const Returned last = evaluate(shrubRays, ReturnMode::last, 1.0);
  CHECK(last.returns[0].rangeM == 14.2F);
  CHECK(last.returns[0].intensity == 0.25F);
  CHECK(last.returns[0].beamShare == doctest::Approx(3.0 / 9.0));
  const Returned closest = evaluate(shrubRays, ReturnMode::closest, 1.0);
  CHECK(closest.returns[0].rangeM == 10.0F);
  CHECK(closest.returns[0].intensity == 0.3F);
}

TEST_CASE("window averages in strongest and last too, around the chosen hit") {
  const Returned strongest = evaluate(shrubRays, ReturnMode::strongest, 0.45, true);
  CHECK(strongest.returns[0].rangeM == doctest::Approx((10.1 + 10.5) / 2.0).epsilon(1e-7));
  CHECK(strongest.returns[0].intensity == 0.8F);
  const Returned last = evaluate(shrubRays, ReturnMode::last, 1.0, true);
  CHECK(last.returns[0].rangeM == doctest::Approx(14.1).epsilon(1e-7));
  CHECK(last.returns[0].decidingHit == 3);
  CHECK(evaluate(shrubRays, ReturnMode::closest, 1.0, true).returns[0].rangeM == 10.0F);
}

TEST_CASE("ties go to the nearest, then to the lowest instance and primitive") {
  const std::vector<RayHit> equal{{9.0F, 0.5F, ninth, 1, 1},
                                  {8.0F, 0.5F, ninth, 2, 9},
                                  {8.0F, 0.5F, ninth, 2, 3},
                                  {8.0F, 0.5F, ninth, 4, 0}};
  CHECK(evaluate(equal, ReturnMode::strongest, 0.0).returns[0].decidingHit == 2);
  CHECK(evaluate(equal, ReturnMode::closest, 0.0).returns[0].decidingHit == 2);
  CHECK(evaluate(equal, ReturnMode::first, 0.0).returns[0].decidingHit == 2);
  const std::vector<RayHit> far{{8.0F, 0.5F, ninth, 4, 0}, {8.0F, 0.1F, ninth, 2, 3}};
  CHECK(evaluate(far, ReturnMode::last, 0.0).returns[0].decidingHit == 1);
}
