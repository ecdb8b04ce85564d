// Dust of wheels: balls at a time, their sums along a line, and the signal of a pulse on both paths.
#include "core/weather/plume.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/weather/sensorWeather.h"
#include "test/native/support/drives.h"

using namespace understory;
using doctest::Approx;

namespace {

constexpr PlumeLaw dust{{1.0, -2.0}, 0.5, 0.1, 0.01, 47.0};

// Along a straight track from 20 s ago on.
std::vector<Puff> trackOf(double extinctionM2) {
  std::vector<Puff> puffs;
  for (int puff = 0; puff < 40; ++puff) {
    puffs.push_back(
        {{0.5 * puff - 12.0, 3.0, 0.0}, -20'000'000'000LL + puff * 500'000'000LL, extinctionM2});
  }
  return puffs;
}

ScanJob driveInDust(std::int64_t fromNs, std::int64_t toNs) {
  ScanJob job = drive(fromNs, toNs);
  job.sensor.beam.apertureHorizontalM = 0.0127;
  job.sensor.beam.apertureVerticalM = 0.0095;
  job.sensor.returns.rangeResolutionM = 1.0;
  job.sensor.returns.detection = DetectionRecipe{0.1, 50.0, 0.5, 1e-6};
  job.puffs = trackOf(0.2);
  return job;
}

std::unique_ptr<const TracedScene> dustyMeadow(std::size_t threads, std::vector<Particles> drops) {
  SceneMaker maker;
  maker.material(0.5F);
  maker.material(0.3F);
  PlumeLaw still = dust;
  still.windMPerS = {};
  maker.weather({std::move(drops), {}, still});
  return meadowAround(maker, threads);
}

}  // namespace

TEST_CASE("a puff drifts, spreads and settles") {
  const Plume plume(dust, std::vector<Puff>{{{5.0, 6.0, 7.0}, 1'000'000'000, 2.0}},
                    {1.0, 1.0, 1.0});
  DustBalls aged;
  plume.ballsAt(Plume::stepOf(999'999'999), aged);
  CHECK(aged.balls.empty());
  plume.ballsAt(Plume::stepOf(11'000'000'000), aged);
  REQUIRE(aged.balls.size() == 1);
  REQUIRE(aged.groups.size() == 1);
  const DustBall& ball = aged.balls.front();
  CHECK(aged.groups.front().radiusM == Approx(4.0 * ball.sigmaM));
  CHECK(ball.atM.x == Approx(4.0 + 10.0));
  CHECK(ball.atM.y == Approx(5.0 - 20.0));
  CHECK(ball.atM.z == Approx(6.0));
  CHECK(ball.sigmaM * ball.sigmaM == Approx(0.25 + 2.0));
  // A ball whose lower half is folded up loses dust as it falls, step by step.
  double left = 2.0;
  constexpr double stepS = 1e-3;
  for (double ageS = 0.5 * stepS; ageS < 10.0; ageS += stepS) {
    const double atGroundPerM = 2.0 / std::sqrt(2.0 * piRad * (0.25 + 0.2 * ageS));
    left -= left * 0.01 * atGroundPerM * stepS;
  }
  const double volumeM3 = 0.5 * std::pow(2.0 * piRad, 1.5) * std::pow(ball.sigmaM, 3);
  CHECK(ball.extinctionPerM * volumeM3 == Approx(left).epsilon(1e-5));
}

TEST_CASE("dust that is a minute old is left out") {
  const Plume plume(dust, std::vector<Puff>{{{}, 0, 1.0}, {{}, 10'000'000'000, 1.0}}, {});
  DustBalls aged;
  plume.ballsAt(Plume::stepOf(60'000'000'000), aged);
  CHECK(aged.balls.size() == 2);
  plume.ballsAt(Plume::stepOf(60'010'000'000), aged);
  CHECK(aged.balls.size() == 1);
}

TEST_CASE("the optical depth of a line through a ball is that of a Gaussian, wherever it ends") {
  DustLine line(0.14);
  const DustBall ball{{10.0, 0.6, -0.3}, 0.8, 0.05};
  const DustBalls balls{{ball}, {{ball.atM, 3.2, 0, 1}}};
  const Vec3d axis = normalized(Vec3d{1.0, 0.05, -0.02});
  REQUIRE(line.follow(balls, {}, axis, 100.0));
  const double atM = dot(ball.atM, axis);
  const double missM2 = dot(ball.atM, ball.atM) - atM * atM;
  const double whole = 0.05 * std::exp(-missM2 / (2.0 * 0.64)) * 0.8 * std::sqrt(2.0 * piRad);
  for (const double endM : {8.0, 9.0, 10.0, 10.5, 11.9, 30.0}) {
    const double part = 0.5 * (1.0 + std::erf((endM - atM) / (0.8 * std::sqrt(2.0))));
    CAPTURE(endM);
    CHECK(std::abs(line.depthAt(endM) - whole * part) < 1e-3 * whole);
  }
  CHECK_FALSE(line.follow(balls, {}, {-1.0, 0.0, 0.0}, 100.0));
  CHECK_FALSE(line.follow(balls, {}, axis, 5.0));
}

TEST_CASE("in dust, nine rays return bit for bit what the general path returns") {
  for (const bool isRaining : {false, true}) {
    std::vector<Particles> drops;
    if (isRaining) drops.push_back({AirKind::rain, 8000.0, 2.085, 1.0, 0.17});
    const auto scene = dustyMeadow(2, drops);
    for (const ReturnMode mode : {ReturnMode::strongest, ReturnMode::strongestAndLast}) {
      ScanJob job = driveInDust(0, 4'000'000);
      job.sensor.returns.mode = mode;
      const ScanTable fast = scanAll(*scene, job);
      job.alwaysFollowsPaths = true;
      CHECK(scanAll(*scene, job).bytes == fast.bytes);
      job.puffs.clear();
      CHECK(scanAll(*scene, job).bytes != fast.bytes);
    }
  }
}

TEST_CASE("in dust, chunks, threads and cuts never change a byte") {
  const auto two = dustyMeadow(2, {});
  const ScanTable whole = scanAll(*two, driveInDust(3'000'001, 20'000'000));
  ScanJob odd = driveInDust(3'000'001, 20'000'000);
  odd.chunkPulses = 977;
  CHECK(scanAll(*two, odd).bytes == whole.bytes);
  CHECK(scanAll(*dustyMeadow(1, {}), driveInDust(3'000'001, 20'000'000)).bytes == whole.bytes);
  const std::size_t first = scanAll(*two, driveInDust(3'000'001, 11'000'123)).rows;
  const std::size_t second = scanAll(*two, driveInDust(11'000'123, 20'000'000)).rows;
  CHECK(first + second == whole.rows);
}

TEST_CASE("dust without puffs changes nothing but what weather assumes of the sensor") {
  SensorRecipe sensor = driveInDust(0, 1).sensor;
  const SensorWeather weather({{}, {}, dust}, {}, sensor);
  CHECK(weather.isClear());
  CHECK(weather.air().overlap.fullM == 1.0);
}
