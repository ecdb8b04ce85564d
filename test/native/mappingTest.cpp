// Maps of small clouds in closed form; order, threads and a worker that lost its ground change nothing.
#include <doctest/doctest.h>

#include <algorithm>
#include <numbers>

#include "core/error.h"
#include "test/native/support/mappingChecks.h"

using namespace understory;

namespace {

bool isSame(const MappedTick& a, const MappedTick& b) {
  const auto isSameCell = [](const GroundCell& one, const GroundCell& other) {
    return one.cell == other.cell && one.heightM == other.heightM && one.fromM == other.fromM;
  };
  return a.sightings.cell == b.sightings.cell && a.sightings.cost == b.sightings.cost &&
         a.sightings.sureCost == b.sightings.sureCost &&
         a.sightings.lowCost == b.sightings.lowCost &&
         std::ranges::equal(a.ground, b.ground, isSameCell);
}

// Points at random within 80 m, up to 3 m high.
std::vector<SensorPoint> randomCloud(std::uint64_t seed, std::size_t count) {
  std::vector<SensorPoint> points;
  std::uint64_t state = seed;
  const auto next = [&] {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<float>(state >> 40U) / static_cast<float>(1U << 24U);
  };
  for (std::size_t n = 0; n < count; ++n) {
    const float x = 160.0F * next() - 80.0F;
    const float y = 160.0F * next() - 80.0F;
    const float z = 3.0F * next() * next() - 0.2F;
    points.push_back({static_cast<std::int64_t>(1e8F * next()), x, y, z});
  }
  return points;
}

}  // namespace

TEST_CASE("returns are registered by the pose of their own time") {
  CHECK(registrationErrorM() < 0.006);
}

TEST_CASE("returns of the vehicle and rows without an echo are left out") {
  TickMapping mapping = standingMapping();
  const float none = std::numeric_limits<float>::quiet_NaN();
  const std::array points{SensorPoint{0, 0.5F, 0.3F, 1.0F}, SensorPoint{0, none, none, none},
                          SensorPoint{0, 0.7F, 0.3F, 1.0F}, SensorPoint{0, 0.5F, 0.5F, 1.0F}};
  RegisteredReturns out = noReturns(mapping.map);
  registerPoints(mapping, points, out);
  CHECK(out.points.size() == 2);
  // A mast beside the vehicle, 0.2 m thick and 3 m high.
  mapping.map.body = BodyFilter{{0.7, 0.3, 1.5}, {0.1, 0.1, 1.5}, {0, 0, 0}, {0, 0, 0, 1}};
  out = noReturns(mapping.map);
  registerPoints(mapping, points, out);
  REQUIRE(out.points.size() == 1);
  CHECK(out.points.front().yM == doctest::Approx(0.5));
}

TEST_CASE("the two lowest returns of a cell are found in any order and division") {
  const std::array<float, 7> overM{3.0F, 1.0F, 2.0F, 1.0F, 5.0F, -4.0F, 2.5F};
  std::array<std::size_t, 7> order{0, 1, 2, 3, 4, 5, 6};
  do {
    LowestReturns one(1);
    LowestReturns other(1);
    for (std::size_t n = 0; n < order.size(); ++n) {
      (n < 3 ? one : other).add(0, overM[order[n]]);
    }
    one.add(other);
    REQUIRE(one.lowest(0) == -4.0F);
    REQUIRE(one.nextLowest(0) == 1.0F);
  } while (std::ranges::next_permutation(order).found);
}

TEST_CASE("costs follow eq. 8 of Goodin 2018, rounded, and less the margin of the tilt") {
  TickMapping mapping = standingMapping();
  mapping.map.seesGround = false;
  const std::array points{SensorPoint{0, 10.1F, 0.1F, 0.75F}, SensorPoint{0, 10.2F, 0.2F, 0.3F},
                          SensorPoint{0, 20.1F, 0.1F, 1.2F},  SensorPoint{0, 25.1F, 0.1F, 9.0F},
                          SensorPoint{0, 30.1F, 0.1F, -1.0F}, SensorPoint{0, 35.1F, 0.1F, 0.0076F}};
  const MappedTick tick = mapped(mapping, points);
  const std::vector<std::uint8_t>& cost = tick.sightings.cost;
  CHECK(costAt(tick, cost, 10.1, 0.1) == 50);
  CHECK(costAt(tick, cost, 20.1, 0.1) == 80);
  CHECK(costAt(tick, cost, 25.1, 0.1) == 100);
  CHECK(costAt(tick, cost, 30.1, 0.1) == 0);
  CHECK(costAt(tick, cost, 35.1, 0.1) == 1);
  CHECK(costAt(tick, cost, 40.1, 0.1) == -1);
  CHECK(sureCostFarAway() == 67);
}

TEST_CASE("heights are over the plane under the wheels") {
  TickMapping mapping = standingMapping();
  mapping.map.seesGround = false;
  mapping.map.plane = {2.0, 1.0, 5.0, 0.1, -0.05};
  // 0.6 m over 5 + 0.1 (12.1 - 2) - 0.05 (4.1 - 1).
  const std::array points{SensorPoint{0, 12.1F, 4.1F, 6.455F}};
  const MappedTick tick = mapped(mapping, points);
  CHECK(costAt(tick, tick.sightings.cost, 12.1, 4.1) == 40);
}

TEST_CASE("a false alarm below the ground makes no pit") { CHECK(costAboutFalseAlarm() == 0); }

TEST_CASE("a ditch of several returns is ground") {
  std::vector<SensorPoint> points = levelGround();
  for (const float xM : {24.2F, 24.6F, 25.0F, 25.4F, 25.8F})
    points.push_back({0, xM, 11.0F, -0.6F});
  const MappedTick tick = mapped(standingMapping(), points);
  const auto cell = std::ranges::find(tick.ground, 55U * 100U + 62U, &GroundCell::cell);
  REQUIRE(cell != tick.ground.end());
  CHECK(cell->heightM == doctest::Approx(-0.6F));
  CHECK(cell->fromM == doctest::Approx(std::hypot(25.0F, 11.0F)));
}

TEST_CASE("a hillside of 20 degrees is ground, a wall is none") {
  const float slope = std::tan(20.0F * std::numbers::pi_v<float> / 180.0F);
  std::vector<SensorPoint> points = levelGround();
  for (SensorPoint& point : points) {
    // The plane is level, so a return is low in a cell of 2 m by up to its rise: 0.73 m.
    point.zM = std::max(0.0F, point.xM - 5.0F) * slope;
  }
  const int rise = static_cast<int>(std::lround(100.0F * 2.0F * slope / 1.5F));
  const MappedTick hill = mapped(standingMapping(), points);
  for (const std::uint8_t cost : hill.sightings.cost) REQUIRE(cost <= rise);
  points = levelGround();
  for (const float yM : {0.1F, 0.2F, 0.3F}) points.push_back({0, 15.1F, yM, 1.45F});
  const MappedTick wall = mapped(standingMapping(), points);
  CHECK(costAt(wall, wall.sightings.cost, 15.1, 0.1) == 97);
}

TEST_CASE("only returns that say something of a cell may clear it") {
  TickMapping mapping = standingMapping();
  mapping.map.seesGround = false;
  mapping.map.clearing = Clearing{90, 20.0};
  const std::array points{SensorPoint{0, 10.1F, 0.1F, 0.3F}, SensorPoint{0, 30.1F, 0.1F, 0.3F},
                          SensorPoint{0, 40.1F, 0.1F, 1.4F}};
  const MappedTick tick = mapped(mapping, points);
  CHECK(costAt(tick, tick.sightings.lowCost, 10.1, 0.1) == 20);
  CHECK(costAt(tick, tick.sightings.lowCost, 30.1, 0.1) == 255);
  CHECK(costAt(tick, tick.sightings.lowCost, 40.1, 0.1) == 93);
}

TEST_CASE("a cell comes again where its costs rise, or are high") {
  const std::array<SensorPoint, 3> first{SensorPoint{0, 10.1F, 0.1F, 0.75F},
                                         SensorPoint{0, 20.1F, 0.1F, 1.4F},
                                         SensorPoint{0, 30.1F, 0.1F, 0.3F}};
  const std::array<SensorPoint, 4> second{
      SensorPoint{0, 10.1F, 0.1F, 0.6F}, SensorPoint{0, 20.1F, 0.1F, 1.35F},
      SensorPoint{0, 30.1F, 0.1F, 0.45F}, SensorPoint{0, 40.1F, 0.1F, 0.15F}};
  for (const bool repeatsAll : {false, true}) {
    DriveMapper mapper;
    const auto take = [&](std::uint64_t tick, std::span<const SensorPoint> points) {
      TickMapping mapping = standingMapping(tick);
      mapping.map.seesGround = false;
      if (!repeatsAll) mapping.map.repeatFromCost = 90;
      std::vector<RegisteredReturns> returns{noReturns(mapping.map)};
      registerPoints(mapping, points, returns.front());
      return *mapper.take(mapping, std::move(returns), oneByOne);
    };
    CHECK(take(0, first).sightings.cell.size() == 3);
    const MappedTick tick = take(1, second);
    CHECK(costAt(tick, tick.sightings.cost, 10.1, 0.1) == (repeatsAll ? 40 : -1));
    CHECK(costAt(tick, tick.sightings.cost, 20.1, 0.1) == 90);
    CHECK(costAt(tick, tick.sightings.cost, 30.1, 0.1) == 30);
    CHECK(costAt(tick, tick.sightings.cost, 40.1, 0.1) == 10);
    // A mapping that begins again knows of no tick before.
    CHECK(take(0, second).sightings.cell.size() == 4);
  }
}

TEST_CASE("a map does not depend on the order of returns nor on the threads that share them") {
  std::vector<SensorPoint> points = randomCloud(7, 20'000);
  const MappedTick whole = mapped(standingMapping(), points);
  CHECK(whole.ground.size() > 100);
  std::ranges::reverse(points);
  for (const std::size_t threads : {1, 2, 5, 16}) {
    const TickMapping mapping = standingMapping();
    std::vector<RegisteredReturns> parts(threads, noReturns(mapping.map));
    for (std::size_t n = 0; n < points.size(); ++n) {
      registerPoints(mapping, std::span(points).subspan(n, 1), parts[(n * n) % threads]);
    }
    DriveMapper mapper;
    const auto shared = mapper.take(mapping, std::move(parts), oneByOne);
    REQUIRE(shared);
    CHECK(isSame(*shared, whole));
  }
}

TEST_CASE("scans of a tick are mapped together, those of two ticks in any order before") {
  const std::vector<SensorPoint> points = randomCloud(11, 4000);
  const auto half = [&](std::size_t scan, std::uint64_t tick) {
    TickMapping mapping = standingMapping(tick);
    mapping.map.scan = static_cast<std::uint16_t>(scan);
    mapping.map.isLastScan = scan == 1;
    std::vector<RegisteredReturns> returns{noReturns(mapping.map)};
    registerPoints(mapping, std::span(points).subspan(2000 * scan, 2000), returns.front());
    return std::pair{mapping, returns};
  };
  DriveMapper mapper;
  const auto take = [&](std::size_t scan, std::uint64_t tick) {
    auto [mapping, returns] = half(scan, tick);
    return mapper.take(mapping, std::move(returns), oneByOne);
  };
  CHECK_FALSE(take(0, 0));
  CHECK_FALSE(take(0, 1));
  const auto first = take(1, 0);
  REQUIRE(first);
  CHECK(isSame(*first, mapped(standingMapping(), points)));
  REQUIRE(take(1, 1));
  try {
    (void)take(1, 2);
    FAIL("the first scan of the tick is missing");
  } catch (const UnderstoryError& error) {
    CHECK(error.code == ErrorCode::notFound);
  }
}

TEST_CASE(
    "a mapper that has lost its ground refuses a tick, and continues with the ground of the host") {
  const std::vector<SensorPoint> points = randomCloud(3, 20'000);
  const std::vector<SensorPoint> next = randomCloud(4, 20'000);
  DriveMapper mapper;
  const auto take = [&](DriveMapper& by, const TickMapping& mapping,
                        const std::vector<SensorPoint>& cloud) {
    std::vector<RegisteredReturns> returns{noReturns(mapping.map)};
    registerPoints(mapping, cloud, returns.front());
    return by.take(mapping, std::move(returns), oneByOne);
  };
  const auto first = take(mapper, standingMapping(0), points);
  const auto second = take(mapper, standingMapping(1), next);
  DriveMapper fresh;
  CHECK_THROWS_AS((void)take(fresh, standingMapping(1), next), UnderstoryError);
  TickMapping restored = standingMapping(1);
  restored.restoresGround = true;
  restored.ground = first->ground;
  const auto again = take(fresh, restored, next);
  CHECK(isSame(*again, *second));
  restored.ground.front().cell = 1U << 20U;
  CHECK_THROWS_AS((void)take(fresh, restored, next), UnderstoryError);
}
