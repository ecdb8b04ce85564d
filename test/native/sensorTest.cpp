// Sensors: numbering, times, azimuths and the nine-ray stencils against closed forms.
#include <doctest/doctest.h>

#include <cmath>

#include "core/error.h"
#include "core/sensor/pulses.h"
#include "core/sensor/stencil.h"
#include "core/sensor/trajectory.h"
#include "test/native/support/sensors.h"

using namespace understory;

namespace {

constexpr std::int64_t secondNs = 1'000'000'000;

std::uint64_t pulsesBetween(const SensorRecipe& sensor, std::int64_t fromNs, std::int64_t toNs) {
  const PulseNumbering numbering = pulseNumbering(sensor);
  return firstPulseOfSlot(numbering, firstSlotFrom(sensor, toNs)) -
         firstPulseOfSlot(numbering, firstSlotFrom(sensor, fromNs));
}

struct StencilMoments {
  double weight = 0.0;
  double left = 0.0;
  double up = 0.0;
  double leftLeft = 0.0;
  double upUp = 0.0;
  double leftUp = 0.0;
};

StencilMoments momentsOf(const BeamRecipe& beam) {
  StencilMoments sum;
  for (const auto& [left, up, weight] : makeStencil(beam)) {
    sum.weight += weight;
    sum.left += weight * left;
    sum.up += weight * up;
    sum.leftLeft += weight * left * left;
    sum.upUp += weight * up * up;
    sum.leftUp += weight * left * up;
  }
  return sum;
}

}  // namespace

TEST_CASE("an HDL-64E fires a million pulses a second at any turning rate") {
  for (const double rateHz : {5.0, 10.0, 15.0}) {
    CAPTURE(rateHz);
    const SensorRecipe sensor = hdl64e(rateHz);
    CHECK(pulsesBetween(sensor, 0, secondNs) == 1'000'000);
    CHECK(pulsesBetween(sensor, 3600 * secondNs, 3601 * secondNs) == 1'000'000);
  }
}

TEST_CASE("intervals that touch share no pulse and lose none") {
  const SensorRecipe sensor = hdl64e(10.0);
  std::uint64_t sum = 0;
  // Cuts at odd nanoseconds, and at one that is exactly the time of a slot (32 us each).
  const std::vector<std::int64_t> cuts{0, 31'999, 32'000, 32'001, 1'000'003, 99'999'999, secondNs};
  for (std::size_t cut = 1; cut < cuts.size(); ++cut) {
    sum += pulsesBetween(sensor, cuts[cut - 1], cuts[cut]);
  }
  CHECK(sum == 1'000'000);
  CHECK(pulsesBetween(sensor, 0, 32'000) == 32);
  CHECK(pulsesBetween(sensor, 0, 32'001) == 64);
  CHECK(pulsesBetween(sensor, -5, 0) == 0);
}

TEST_CASE("an HDL-64E fires its upper bank three times to one of the lower") {
  const SensorRecipe sensor = hdl64e(10.0);
  for (std::uint64_t slot = 0; slot < 8; ++slot) {
    const LaserBank& bank = sensor.banks[bankOfSlot(sensor, slot)];
    CHECK((bank.elevationsRad.front() < -0.2) == (slot % 4 == 3));
  }
}

TEST_CASE("the azimuth continues from one revolution into the next") {
  const SensorRecipe sensor = hdl64e(10.0);
  // 3125 slots are one revolution; 781.25 firings of the lower bank are not a whole number.
  const double stepRad = 2.0 * piRad / 3125.0;
  for (std::uint64_t slot = 0; slot < 4 * 3125; ++slot) {
    const double turned = slotAzimuthRad(sensor, slot + 1) - slotAzimuthRad(sensor, slot);
    const double wrapped = turned < 0.0 ? turned + 2.0 * piRad : turned;
    // 2 pi has an ulp of 8.9e-16; three roundings.
    REQUIRE(std::abs(wrapped - stepRad) < 3e-15);
  }
  // After a day of turning an azimuth still has all its digits.
  const std::uint64_t day = 86'400ULL * 31'250ULL;
  CHECK(std::abs(slotAzimuthRad(sensor, day + 1) - stepRad) < 1e-15);
}

TEST_CASE(
    "an LMS-291 fires 201 pulses from -50 to 50 degrees, ends included, 37.5 times a second") {
  const SensorRecipe sensor = lms291();
  CHECK(pulsesBetween(sensor, 0, 2 * secondNs) == 201 * 75);
  CHECK(slotAzimuthRad(sensor, 0) == doctest::Approx(-50.0 * piRad / 180.0).epsilon(1e-15));
  CHECK(slotAzimuthRad(sensor, 100) == doctest::Approx(0.0).epsilon(1e-15));
  CHECK(slotAzimuthRad(sensor, 200) == doctest::Approx(50.0 * piRad / 180.0).epsilon(1e-15));
  CHECK(slotAzimuthRad(sensor, 201) == slotAzimuthRad(sensor, 0));
}

TEST_CASE("every stencil has weights that sum to 1 and its centroid on the axis") {
  for (const SpotShape shape :
       {SpotShape::circular, SpotShape::rectangular, SpotShape::elliptical}) {
    for (const StencilKind kind : {StencilKind::moment, StencilKind::goodin2018}) {
      BeamRecipe beam{shape, 0.0129, 0.0129};
      beam.stencil = kind;
      const StencilMoments sum = momentsOf(beam);
      CHECK(sum.weight == doctest::Approx(1.0).epsilon(1e-15));
      CHECK(std::abs(sum.left) < 1e-17);
      CHECK(std::abs(sum.up) < 1e-17);
      CHECK(std::abs(sum.leftUp) < 1e-19);
    }
  }
}

TEST_CASE("the moment stencils have the second moments of uniform spots") {
  const double halfLeft = std::tan(0.0015);
  const double halfUp = std::tan(0.0004);
  // Uniform disc of radius R: R^2/4 along each axis; ellipse alike along each.
  const StencilMoments disc = momentsOf({SpotShape::circular, 0.003, 0.003});
  CHECK(disc.leftLeft == doctest::Approx(halfLeft * halfLeft / 4.0).epsilon(1e-12));
  CHECK(disc.upUp == doctest::Approx(halfLeft * halfLeft / 4.0).epsilon(1e-12));
  const StencilMoments ellipse = momentsOf({SpotShape::elliptical, 0.003, 0.0008});
  CHECK(ellipse.leftLeft == doctest::Approx(halfLeft * halfLeft / 4.0).epsilon(1e-12));
  CHECK(ellipse.upUp == doctest::Approx(halfUp * halfUp / 4.0).epsilon(1e-12));
  // Uniform rectangle of half width a: a^2/3.
  const StencilMoments box = momentsOf({SpotShape::rectangular, 0.003, 0.0008});
  CHECK(box.leftLeft == doctest::Approx(halfLeft * halfLeft / 3.0).epsilon(1e-12));
  CHECK(box.upUp == doctest::Approx(halfUp * halfUp / 3.0).epsilon(1e-12));
  // Goodin 2018 as printed: 2/9 of the disc's R^2/2 over both axes.
  BeamRecipe goodin{SpotShape::circular, 0.003, 0.003};
  goodin.stencil = StencilKind::goodin2018;
  const StencilMoments printed = momentsOf(goodin);
  CHECK(printed.leftLeft + printed.upUp ==
        doctest::Approx(2.0 / 9.0 * halfLeft * halfLeft / 2.0).epsilon(1e-12));
}

TEST_CASE("the ring starts at the left and turns by 45 degrees") {
  const auto rays = makeStencil({SpotShape::circular, 0.1, 0.1});
  const double radius = 0.75 * std::tan(0.05);
  CHECK(rays[0].left == 0.0);
  CHECK(rays[1].left == doctest::Approx(radius).scale(0));
  CHECK(rays[1].up == 0.0);
  CHECK(rays[2].left == doctest::Approx(radius / std::sqrt(2.0)).scale(0));
  CHECK(rays[2].up == doctest::Approx(radius / std::sqrt(2.0)).scale(0));
}

TEST_CASE("poses move straight and turn evenly between their times, and are held outside") {
  Trajectory trajectory{{0, 100},
                        {{{0.0, 0.0, 0.0}, rotationAbout({0, 0, 1}, 0.0)},
                         {{10.0, -2.0, 1.0}, rotationAbout({0, 0, 1}, 0.5 * piRad)}}};
  checkTrajectory(trajectory);
  const Pose pose = poseAt(trajectory, 25);
  CHECK(pose.positionM.x == doctest::Approx(2.5));
  CHECK(pose.positionM.y == doctest::Approx(-0.5));
  const Vec3d ahead = rotate(pose.rotation, {1.0, 0.0, 0.0});
  CHECK(std::atan2(ahead.y, ahead.x) == doctest::Approx(0.125 * piRad).epsilon(1e-14));
  CHECK(poseAt(trajectory, -7).positionM.x == 0.0);
  CHECK(poseAt(trajectory, 1000).positionM.x == 10.0);
  const Vec3d lever{1.0, 0.0, -0.5};
  trajectory.mount = Pose{lever, rotationAbout({0, 0, 1}, -0.125 * piRad)};
  trajectory.reported = {{{0.0, 0.0, 3.0}, {}}, {{0.0, 0.0, 5.0}, {}}};
  checkTrajectory(trajectory);
  const Pose mounted = poseAt(trajectory, 25);
  CHECK(mounted.positionM.x == doctest::Approx(2.5 + std::cos(0.125 * piRad)));
  CHECK(mounted.positionM.y == doctest::Approx(-0.5 + std::sin(0.125 * piRad)));
  CHECK(mounted.positionM.z == doctest::Approx(0.25 - 0.5));
  CHECK(rotate(mounted.rotation, {1.0, 0.0, 0.0}).x == doctest::Approx(1.0).epsilon(1e-14));
  const Pose reported = poseAt(trajectory, 25, PoseKind::reported);
  CHECK(reported.positionM.x == doctest::Approx(1.0));
  CHECK(reported.positionM.z == doctest::Approx(3.0));
  trajectory.reported.pop_back();
  CHECK_THROWS_AS(checkTrajectory(trajectory), UnderstoryError);
  Trajectory backwards{{5, 5}, {{}, {}}};
  CHECK_THROWS_AS(checkTrajectory(backwards), UnderstoryError);
  Trajectory stretched{{0}, {{{0, 0, 0}, {0, 0, 0, 2.0}}}};
  CHECK_THROWS_AS(checkTrajectory(stretched), UnderstoryError);
}
