// Where pulses of every kind of scan meet a wall, and what is reported of them.
#include <doctest/doctest.h>

#include <cmath>

#include "test/native/support/scenes.h"

using namespace understory;
using Column = ReturnColumn;

namespace {

// Ranges are single precision; the wall's plane is met to a few units of its last place.
constexpr double rangeEpsilon = 1e-6;

// A wall 20 m ahead, 100 m wide and high.
std::unique_ptr<const TracedScene> wallScene() {
  SceneMaker maker;
  maker.material(0.5F);
  maker.place(maker.model(wallMesh(50.0F, 1, 0)), {20.0, 0.0, 0.0});
  return maker.build();
}

}  // namespace

TEST_CASE("a laser that fires later fires from where the sensor is by then, and reports it") {
  const auto scene = wallScene();
  SensorRecipe sensor = singleBeam(0.0, ReturnMode::closest, 0.0);
  sensor.banks = {laserBank(0.0, 0.0, 2, 0)};
  sensor.banks[0].firingOffsetsNs = {0, 500'000'000};
  sensor.clock = {100'000'000, 7, 2.0};
  ScanJob job = standingJob(sensor, {}, 0.0);
  job.trajectory = {{0, 10'000'000'000}, {{{0.0, 0.0, 0.0}, {}}, {{10.0, 0.0, 0.0}, {}}}};
  // Slots at 0.1, 1.1 and 2.1 s; the last laser of the third fires after the end of the interval.
  job.interval.toNs = 2'200'000'000;
  const ScanTable table = scanAll(*scene, job);
  REQUIRE(table.rows == 6);
  for (std::size_t row = 0; row < 6; ++row) {
    const auto timeNs = static_cast<std::int64_t>(100'000'000 + 500'000'000 * row);
    CHECK(table.at<std::int64_t>(Column::timeNs, row) == timeNs);
    // 2 ppm of 0.1 s are 200 ns.
    const std::int64_t driftNs = 200 + 1000 * static_cast<std::int64_t>(row);
    CHECK(table.at<std::int64_t>(Column::sensorTimeNs, row) == timeNs + driftNs + 7);
    const double placeM = 1e-9 * static_cast<double>(timeNs);
    CHECK(table.real(Column::rangeM, row) == doctest::Approx(20.0 - placeM).epsilon(rangeEpsilon));
    CHECK(table.real(Column::xM, row) == doctest::Approx(20.0).epsilon(rangeEpsilon));
  }
}

TEST_CASE("an encoder's step moves the reported point, not the beam") {
  const auto scene = wallScene();
  SensorRecipe sensor = singleBeam(0.0, ReturnMode::closest, 0.0);
  sensor.scan.minAzimuthRad = 0.0137;
  sensor.scan.maxAzimuthRad = 0.0137;
  sensor.quantisation.azimuthRad = 0.01;
  const double rangeM = 20.0 / std::cos(0.0137);
  for (const bool isFast : {true, false}) {
    // A threshold, though one that all pass, takes the general path.
    sensor.returns.detectionThreshold = isFast ? 0.0 : 1e-9;
    const ScanTable table = scanAll(*scene, standingJob(sensor, {}, 1.0));
    REQUIRE(table.rows == 1);
    CHECK(table.real(Column::azimuthRad, 0) == doctest::Approx(0.01).epsilon(1e-7));
    CHECK(table.real(Column::rangeM, 0) == doctest::Approx(rangeM).epsilon(rangeEpsilon));
    CHECK(table.real(Column::yM, 0) ==
          doctest::Approx(rangeM * std::sin(0.01)).epsilon(rangeEpsilon));
    CHECK(table.real(Column::ySensorM, 0) ==
          doctest::Approx(rangeM * std::sin(0.01)).epsilon(rangeEpsilon));
    CHECK(table.real(Column::hitXM, 0) == doctest::Approx(20.0).epsilon(rangeEpsilon));
    CHECK(table.real(Column::hitYM, 0) ==
          doctest::Approx(20.0 * std::tan(0.0137)).epsilon(rangeEpsilon));
  }
}

TEST_CASE("calibrated lasers are reported where they look") {
  const auto scene = wallScene();
  SensorRecipe sensor = singleBeam(0.0, ReturnMode::closest, 0.0);
  sensor.banks = {laserBank(-2.0, 2.0, 3, 0)};
  sensor.banks[0].azimuthOffsetsRad = {-0.1, 0.0, 0.2};
  const ScanTable table = scanAll(*scene, standingJob(sensor, {}, 1.0));
  REQUIRE(table.rows == 3);
  for (std::size_t row = 0; row < 3; ++row) {
    const double azimuth = sensor.banks[0].azimuthOffsetsRad[row];
    const double elevation = sensor.banks[0].elevationsRad[row];
    CHECK(table.real(Column::azimuthRad, row) == doctest::Approx(azimuth).epsilon(1e-6));
    CHECK(table.real(Column::xM, row) == doctest::Approx(20.0).epsilon(rangeEpsilon));
    CHECK(table.real(Column::yM, row) ==
          doctest::Approx(20.0 * std::tan(azimuth)).epsilon(rangeEpsilon));
    CHECK(table.real(Column::zM, row) ==
          doctest::Approx(20.0 * std::tan(elevation) / std::cos(azimuth)).epsilon(rangeEpsilon));
  }
}

TEST_CASE("a line LIDAR draws its rolled fan on a wall") {
  const auto scene = wallScene();
  SensorRecipe sensor = mirrorOf({-0.05, 0.05});
  sensor.beam = {SpotShape::circular, 0.0, 0.0};
  sensor.returns = {ReturnMode::closest, 0.0, false};
  const ScanTable table = scanAll(*scene, standingJob(sensor, {}, 1.0 / 12.5));
  bool isSeen = false;
  for (std::size_t row = 0; row < table.rows; ++row) {
    const std::uint64_t slot = table.at<std::uint64_t>(Column::pulse, row) / 2;
    if (slot != 90 + 30) continue;
    isSeen = true;
    // At 30 degrees the fan has rolled by 30 degrees: Gschwandtner 2011, section 3.
    const double pitch = table.at<std::uint16_t>(Column::ring, row) == 0 ? -0.05 : 0.05;
    const double turn = radians(30.0);
    const double ahead = std::cos(pitch) * std::cos(turn) - std::sin(pitch) * 0.25;
    const double left = 0.5 * (std::cos(pitch) + std::sin(pitch) * std::cos(turn));
    const double up = std::sin(pitch) * std::cos(turn);
    for (const auto& [y, z] : {std::pair{Column::yM, Column::zM}, {Column::hitYM, Column::hitZM}}) {
      CHECK(table.real(y, row) == doctest::Approx(20.0 * left / ahead).epsilon(rangeEpsilon));
      CHECK(table.real(z, row) == doctest::Approx(20.0 * up / ahead).epsilon(rangeEpsilon));
    }
  }
  CHECK(isSeen);
}

TEST_CASE("pixels of a camera lie on a square grid on a wall, all of one time") {
  const auto scene = wallScene();
  SensorRecipe camera = cameraOf(8, 6, radians(60.0), 4.0);
  camera.beam = {SpotShape::rectangular, 0.0, 0.0};
  camera.returns = {ReturnMode::closest, 0.0, false};
  ScanJob job = standingJob(camera, {}, 0.5);
  // Moving ahead: pixels of one image stay on one plane only if they share their time.
  job.trajectory = {{0, 1'000'000'000}, {{{0.0, 0.0, 0.0}, {}}, {{8.0, 0.0, 0.0}, {}}}};
  const ScanTable table = scanAll(*scene, job);
  REQUIRE(table.rows == 2 * 48);
  for (std::size_t row = 0; row < table.rows; ++row) {
    const std::uint64_t pulse = table.at<std::uint64_t>(Column::pulse, row);
    const std::uint64_t image = pulse / 48;
    CHECK(table.at<std::int64_t>(Column::timeNs, row) ==
          static_cast<std::int64_t>(image * 250'000'000));
    // The second image is taken 2 m nearer.
    const double pixelM = (image == 0 ? 20.0 : 18.0) * std::tan(radians(30.0)) / 4.0;
    const auto column = static_cast<double>(pulse / 6 % 8);
    const auto pixelRow = static_cast<double>(pulse % 6);
    CHECK(table.at<std::uint16_t>(Column::ring, row) == pulse % 6);
    CHECK(table.real(Column::hitYM, row) ==
          doctest::Approx((3.5 - column) * pixelM).epsilon(2.0 * rangeEpsilon));
    CHECK(table.real(Column::hitZM, row) ==
          doctest::Approx((pixelRow - 2.5) * pixelM).epsilon(2.0 * rangeEpsilon));
  }
}
