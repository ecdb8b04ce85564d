// Rain, snow and media in a pulse's signal: both paths, threads and cuts, energy, and the law of what is not drawn.
#include <doctest/doctest.h>

#include <cmath>

#include "core/weather/sensorWeather.h"
#include "test/native/support/drives.h"

using namespace understory;
using doctest::Approx;

namespace {

// Marshall and Palmer's rain at 25 mm/h.
constexpr Particles rain{AirKind::rain, 8000.0, 2.085, 1.0, 0.17};
constexpr Medium fog{AirKind::fog, 0.2, 0.0, 18.0};

SensorRecipe receiverInWeather() {
  SensorRecipe sensor = hdl64e(10.0);
  sensor.beam.apertureHorizontalM = 0.0127;
  sensor.beam.apertureVerticalM = 0.0095;
  sensor.returns.rangeResolutionM = 1.0;
  sensor.returns.detection = DetectionRecipe{0.1, 50.0, 0.5, 1e-6};
  return sensor;
}

ScanJob driveInWeather(std::int64_t fromNs, std::int64_t toNs) {
  ScanJob job = drive(fromNs, toNs);
  job.sensor = receiverInWeather();
  return job;
}

std::unique_ptr<const TracedScene> rainyMeadow(std::size_t threads) {
  SceneMaker maker;
  maker.material(0.5F);
  maker.material(0.3F);
  maker.weather({{rain}, {fog}});
  return meadowAround(maker, threads);
}

// Returns of no object; none of them has a velocity.
std::size_t rowsOfNothing(const ScanTable& table) {
  std::size_t rows = 0;
  for (std::size_t row = 0; row < table.rows; ++row) {
    const bool isReturn = table.at<std::uint8_t>(ReturnColumn::returnNo, row) > 0;
    const bool isObject = table.at<std::uint32_t>(ReturnColumn::objectId, row) > 0;
    if (!isReturn || isObject) continue;
    ++rows;
    CHECK(std::isnan(table.at<float>(ReturnColumn::velocityXMPerS, row)));
    CHECK(std::isnan(table.at<float>(ReturnColumn::radialVelocityMPerS, row)));
  }
  return rows;
}

}  // namespace

TEST_CASE("in rain and fog, nine rays return bit for bit what the general path returns") {
  const auto scene = rainyMeadow(2);
  for (const ReturnMode mode : {ReturnMode::strongest, ReturnMode::last, ReturnMode::closest,
                                ReturnMode::strongestAndLast, ReturnMode::all}) {
    ScanJob job = driveInWeather(0, 4'000'000);
    job.sensor.returns.mode = mode;
    const ScanTable fast = scanAll(*scene, job);
    job.alwaysFollowsPaths = true;
    const ScanTable general = scanAll(*scene, job);
    CAPTURE(static_cast<int>(mode));
    CHECK(fast.bytes == general.bytes);
    CHECK(fast.totals.hits == general.totals.hits);
    CHECK(fast.totals.returnsOfInstance == general.totals.returnsOfInstance);
    CHECK(rowsOfNothing(fast) > 10);
  }
}

TEST_CASE("in rain and fog, chunks, threads and cuts never change a byte") {
  const auto two = rainyMeadow(2);
  const ScanTable whole = scanAll(*two, driveInWeather(3'000'001, 20'000'000));
  ScanJob odd = driveInWeather(3'000'001, 20'000'000);
  odd.chunkPulses = 977;
  CHECK(scanAll(*two, odd).bytes == whole.bytes);
  CHECK(scanAll(*rainyMeadow(1), driveInWeather(3'000'001, 20'000'000)).bytes == whole.bytes);
  std::size_t rows = 0;
  for (const auto& [fromNs, toNs] :
       {std::pair{3'000'001LL, 11'000'123LL}, {11'000'123LL, 20'000'000LL}}) {
    rows += scanAll(*two, driveInWeather(fromNs, toNs)).rows;
  }
  CHECK(rows == whole.rows);
}

TEST_CASE("drops that are drawn and drops that are not take what all drops take") {
  const SensorRecipe sensor = receiverInWeather();
  const SensorWeather weather({{rain}, {}}, {}, sensor);
  REQUIRE(weather.fields().size() == 1);
  const double kappa = extinctionPerM(rain);
  CHECK(kappa == Approx(0.5 * piRad * 8000.0 * 1e-6 / std::pow(2.085, 3)));
  // Mean share that the drawn ones take, by range, over many pulses.
  constexpr std::uint64_t pulses = 200'000;
  constexpr double toM = 20.0;
  double sum = 0.0;
  double squares = 0.0;
  for (std::uint64_t pulse = 0; pulse < pulses; ++pulse) {
    double share = 0.0;
    weather.fields()[0].draw(5, pulse, toM, [&](const Drop& drop) { share += drop.share; });
    sum += share;
    squares += share * share;
  }
  const double mean = sum / pulses;
  const double error = std::sqrt((squares / pulses - mean * mean) / pulses);
  CHECK(mean > 0.0);
  CHECK(std::abs(mean + weather.air().undrawn->at(toM) - kappa * toM) < 4.0 * error + 1e-3 * mean);
}

TEST_CASE("drops come in order of range, within what is asked for, and again the same") {
  const SensorWeather weather({{rain}, {}}, {}, receiverInWeather());
  for (std::uint64_t pulse = 0; pulse < 1000; ++pulse) {
    std::vector<double> ranges;
    std::vector<double> nearer;
    weather.fields()[0].draw(5, pulse, 30.0,
                             [&](const Drop& drop) { ranges.push_back(drop.rangeM); });
    weather.fields()[0].draw(5, pulse, 4.0,
                             [&](const Drop& drop) { nearer.push_back(drop.rangeM); });
    CHECK(std::is_sorted(ranges.begin(), ranges.end()));
    REQUIRE(nearer.size() <= ranges.size());
    CHECK(std::equal(nearer.begin(), nearer.end(), ranges.begin()));
    CHECK((nearer.empty() || nearer.back() < 4.0));
    CHECK((ranges.empty() || ranges.front() > 0.9));
  }
}

TEST_CASE("a medium's bump grows with the way of its ray, and no farther than to its end") {
  const SensorWeather weather({{}, {fog}}, {}, receiverInWeather());
  const MediumEcho& medium = weather.medium();
  REQUIRE_FALSE(medium.isEmpty());
  double before = 0.0;
  for (double endM = 0.5; endM < 8.0; endM += 0.05) {
    const MediumHit bump = medium.before(endM);
    CHECK(bump.signal >= before * (1.0 - 1e-12));
    CHECK(bump.rangeM <= endM);
    before = bump.signal;
  }
  CHECK(before == Approx(medium.before(100.0).signal).epsilon(1e-3));
  CHECK(medium.before(0.9).signal == 0.0);
}

TEST_CASE("weather refuses sensors that it cannot be simulated for") {
  SensorRecipe bare = receiverInWeather();
  bare.returns.detection.reset();
  CHECK_THROWS_WITH_AS(SensorWeather({{rain}, {}}, {}, bare),
                       "sensor.returns.detection: weather needs a detection limit, found none",
                       UnderstoryError);
  SensorRecipe coarse = receiverInWeather();
  coarse.returns.rangeResolutionM = 0.0;
  CHECK_THROWS_AS(SensorWeather({{}, {fog}}, {}, coarse), UnderstoryError);
  SensorRecipe pencil = receiverInWeather();
  pencil.beam.apertureVerticalM = 0.0;
  CHECK_THROWS_AS(SensorWeather({{rain}, {}}, {}, pencil), UnderstoryError);
  CHECK_NOTHROW(SensorWeather({{}, {fog}}, {}, pencil));
}
