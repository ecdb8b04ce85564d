// Aims of every kind of scan against closed forms: firing tables, calibration, mirrors, images, encoders, clocks.
#include "core/sensor/aim.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "aim/pulseFrame.h"
#include "core/maths/maths.h"
#include "core/sensor/pulses.h"
#include "test/native/support/sensors.h"

using namespace understory;

namespace {

Vec3d directionOf(const PulseAim& aim) {
  const double cosElevation = std::cos(aim.elevationRad);
  return {cosElevation * std::cos(aim.azimuthRad), cosElevation * std::sin(aim.azimuthRad),
          std::sin(aim.elevationRad)};
}

}  // namespace

TEST_CASE("plain pulses go where their slot and their laser say, to the last bit") {
  for (SensorRecipe sensor : {hdl64e(10.0), lms291()}) {
    CHECK(sharesSlotAim(sensor));
    // Tables of zeros change nothing either.
    for (LaserBank& bank : sensor.banks) {
      bank.azimuthOffsetsRad.assign(bank.rings.size(), 0.0);
      bank.firingOffsetsNs.assign(bank.rings.size(), 0);
    }
    CHECK(sharesSlotAim(sensor));
    bool isSame = true;
    for (std::uint64_t slot = 0; slot < 7000; ++slot) {
      const std::uint32_t bank = bankOfSlot(sensor, slot);
      const std::size_t laser = slot % sensor.banks[bank].rings.size();
      const PulseAim aim = aimOf(sensor, slot, bank, laser);
      isSame = isSame && aim.timeNs == slotTimeNs(sensor, slot) &&
               aim.azimuthRad == slotAzimuthRad(sensor, slot) &&
               aim.elevationRad == sensor.banks[bank].elevationsRad[laser];
    }
    CHECK(isSame);
  }
}

TEST_CASE("a firing table moves time, and azimuth by what the head has turned in it") {
  SensorRecipe sensor = hdl64e(10.0);
  sensor.banks[1].firingOffsetsNs.assign(32, 0);
  sensor.banks[1].firingOffsetsNs[5] = 7200;
  CHECK(!sharesSlotAim(sensor));
  const PulseAim aim = aimOf(sensor, 1000, 1, 5);
  CHECK(aim.timeNs == 32'000'000 + 7200);
  // 1000 of 3125 slots of a turn, and 7.2 us of 10 turns a second: a few roundings of an angle of 2.
  CHECK(std::abs(aim.azimuthRad - 2.0 * piRad * (0.32 + 7.2e-5)) < 4e-15);
  CHECK(aimOf(sensor, 1000, 1, 4).timeNs == 32'000'000);
  // The last slot of a turn, 31.968 us before its end, fires 40 us late: in the next turn.
  sensor.banks[1].firingOffsetsNs[5] = 40'000;
  const PulseAim over = aimOf(sensor, 3124, 1, 5);
  CHECK(std::abs(over.azimuthRad - 2.0 * piRad * 10.0 * 8e-6) < 4e-15);

  SensorRecipe sweeping = lms291();
  sweeping.banks[0].firingOffsetsNs = {50'000};
  // Half a degree a slot, 7537.5 slots a second.
  const double turnedRad = radians(0.5) * 7537.5 * 50e-6;
  CHECK(std::abs(aimOf(sweeping, 100, 0, 0).azimuthRad - turnedRad) < 1e-15);
}

TEST_CASE("calibration turns a laser's azimuth by its offset, around a full turn") {
  SensorRecipe sensor = hdl64e(10.0);
  sensor.banks[0].azimuthOffsetsRad.assign(32, 0.0);
  sensor.banks[0].azimuthOffsetsRad[3] = -0.07;
  CHECK(!sharesSlotAim(sensor));
  CHECK(aimOf(sensor, 0, 0, 3).azimuthRad == doctest::Approx(2.0 * piRad - 0.07).epsilon(1e-15));
  CHECK(aimOf(sensor, 1000, 0, 3).azimuthRad ==
        doctest::Approx(0.64 * piRad - 0.07).epsilon(1e-15));
  CHECK(aimOf(sensor, 1000, 0, 3).timeNs == slotTimeNs(sensor, 1000));
  sensor.banks[0].azimuthOffsetsRad[3] = -1e-300;
  // Next to nothing below 0 is 0, never a whole turn.
  CHECK(aimOf(sensor, 0, 0, 3).azimuthRad == 0.0);
}

TEST_CASE("a turning mirror turns the fan of emitters, and rolls it by the same angle") {
  const std::vector<double> pitchesRad{-0.3, -0.028, 0.0, 0.014, 0.2};
  const SensorRecipe sensor = mirrorOf(pitchesRad);
  CHECK(!sharesSlotAim(sensor));
  for (std::uint64_t slot = 0; slot < 181; ++slot) {
    const double turn = radians(static_cast<double>(slot) - 90.0);
    const Vec3d ahead{std::cos(turn), std::sin(turn), 0.0};
    const Vec3d left{-std::sin(turn), std::cos(turn), 0.0};
    const Vec3d up{0.0, 0.0, 1.0};
    for (std::size_t laser = 0; laser < pitchesRad.size(); ++laser) {
      const double pitch = pitchesRad[laser];
      // A mirror at 45 degrees on a vertical shaft: the image rolls as it turns.
      const Vec3d rolled = up * std::cos(turn) + left * std::sin(turn);
      const Vec3d expected = ahead * std::cos(pitch) + rolled * std::sin(pitch);
      // A few roundings of numbers below 1.
      REQUIRE(length(directionOf(aimOf(sensor, slot, 0, laser)) - expected) < 1e-15);
    }
  }
}

TEST_CASE("all emitters share their yaw straight ahead and their pitch to the side") {
  const std::vector<double> pitchesRad{-0.028, -0.014, 0.014, 0.028};
  const SensorRecipe sensor = mirrorOf(pitchesRad);
  for (std::size_t laser = 0; laser < pitchesRad.size(); ++laser) {
    const double pitch = pitchesRad[laser];
    const PulseAim ahead = aimOf(sensor, 90, 0, laser);
    CHECK(std::abs(ahead.azimuthRad) < 1e-16);
    CHECK(ahead.elevationRad == doctest::Approx(pitch).epsilon(1e-14));
    const PulseAim aside = aimOf(sensor, 180, 0, laser);
    CHECK(aside.azimuthRad == doctest::Approx(0.5 * piRad + pitch).epsilon(1e-14));
    // cos(90 degrees) is 6e-17 in double precision.
    CHECK(std::abs(aside.elevationRad) < 1e-17);
  }
}

TEST_CASE("a mirror's yaw and pitch tend to phi + p sin(phi) and p cos(phi) for small p") {
  for (const double pitch : {1e-3, -2e-3}) {
    const SensorRecipe sensor = mirrorOf({pitch});
    for (std::uint64_t slot = 0; slot < 181; ++slot) {
      const double turn = radians(static_cast<double>(slot) - 90.0);
      const PulseAim aim = aimOf(sensor, slot, 0, 0);
      // The next terms are at most p^2 / 2 of yaw and p^3 / 6 of pitch.
      REQUIRE(std::abs(aim.azimuthRad - (turn + pitch * std::sin(turn))) < pitch * pitch);
      REQUIRE(std::abs(aim.elevationRad - pitch * std::cos(turn)) <
              std::abs(pitch * pitch * pitch) + 1e-16);
    }
  }
}

TEST_CASE(
    "pixels of an image look through the squares of a plane ahead, from the left and from below") {
  // 90 degrees: 2 m across the plane 1 m ahead, in pixels of 0.5 m.
  const SensorRecipe camera = cameraOf(4, 3, radians(90.0), 10.0);
  CHECK(!sharesSlotAim(camera));
  for (std::uint64_t slot = 0; slot < 8; ++slot) {
    for (std::size_t row = 0; row < 3; ++row) {
      const double leftM = 0.75 - 0.5 * static_cast<double>(slot % 4);
      const double upM = 0.5 * (static_cast<double>(row) - 1.0);
      const PulseAim aim = aimOf(camera, slot, 0, row);
      CHECK(length(directionOf(aim) - normalized(Vec3d{1.0, leftM, upM})) < 1e-15);
      CHECK(aim.timeNs == static_cast<std::int64_t>(slot / 4) * 100'000'000);
    }
  }
  // The corner's pixel as angles.
  const PulseAim corner = aimOf(camera, 0, 0, 2);
  CHECK(corner.azimuthRad == doctest::Approx(std::atan(0.75)).epsilon(1e-15));
  CHECK(corner.elevationRad == doctest::Approx(std::atan(0.5 / 1.25)).epsilon(1e-15));
}

TEST_CASE("an encoder rounds the reported azimuth down to its step and leaves the rest") {
  SensorRecipe sensor = hdl64e(10.0);
  sensor.quantisation.azimuthRad = 2.0 * piRad / 4000.0;
  std::size_t stepsDiffer = 0;
  for (std::uint64_t slot = 0; slot < 3125; ++slot) {
    const PulseAim aim = aimOf(sensor, slot, 1, 7);
    const PulseAim reported = reportedAimOf(sensor, slot, 1, 7);
    // Slot k is at k 4000 / 3125 = k 32 / 25 counts.
    const double counts = std::floor(static_cast<double>(slot * 32 / 25));
    REQUIRE(std::abs(reported.azimuthRad - counts * sensor.quantisation.azimuthRad) < 4e-15);
    REQUIRE(aim.azimuthRad == slotAzimuthRad(sensor, slot));
    REQUIRE(reported.timeNs == aim.timeNs);
    REQUIRE(reported.elevationRad == aim.elevationRad);
    stepsDiffer += reported.azimuthRad != aim.azimuthRad;
  }
  // All but the 125 that lie on a step.
  CHECK(stepsDiffer >= 3000);
  SensorRecipe sweeping = lms291();
  sweeping.scan.minAzimuthRad = -0.1234;
  CHECK(reportedAimOf(sweeping, 0, 0, 0).azimuthRad == -0.1234);
  sweeping.quantisation.azimuthRad = 0.01;
  CHECK(reportedAimOf(sweeping, 0, 0, 0).azimuthRad == doctest::Approx(-0.13));
}

TEST_CASE("an encoder counts the head; the offset of a laser is added after") {
  for (const bool isClockwise : {false, true}) {
    SensorRecipe sensor = hdl64e(10.0);
    sensor.scan.isClockwise = isClockwise;
    sensor.quantisation.azimuthRad = radians(0.5);
    sensor.banks[1].azimuthOffsetsRad.assign(sensor.banks[1].rings.size(), 0.0);
    sensor.banks[1].azimuthOffsetsRad[7] = radians(0.2);
    for (std::uint64_t slot = 0; slot < 3125; ++slot) {
      const double head = slotAzimuthRad(sensor, slot) / sensor.quantisation.azimuthRad;
      const double counted = isClockwise ? std::ceil(head - 1e-9) : std::floor(head + 1e-9);
      const double expected = counted * radians(0.5) + radians(0.2);
      const double found = reportedAimOf(sensor, slot, 1, 7).azimuthRad;
      REQUIRE(std::abs(std::remainder(found - expected, 2.0 * piRad)) < 4e-15);
    }
  }
}

TEST_CASE("a mirror turns the whole bundle of a beam by the law of reflection") {
  for (const double pitch : {0.0, radians(1.2), radians(-5.0)}) {
    const SensorRecipe sensor = mirrorOf({pitch});
    for (std::uint64_t slot = 0; slot < 181; ++slot) {
      const double turn = radians(static_cast<double>(slot) - 90.0);
      const PulseAim aim = aimOf(sensor, slot, 0, 0);
      // The emitter looks down at the mirror, its spot's left to the left; n is the mirror's normal times sqrt(2).
      const Vec3d n{std::cos(turn), std::sin(turn), 1.0};
      const auto mirrored = [&](Vec3d v) { return v - n * dot(v, n); };
      const Vec3d beam = mirrored({-std::sin(pitch), 0.0, -std::cos(pitch)});
      const Vec3d left = mirrored({0.0, 1.0, 0.0});
      CHECK(length(directionOf(aim) - beam) < 1e-15);
      const PulseAxes axes = aimedPulse(sensor, {{0}, {{}}}, 0, {slot, slot, 0, 0}).axes;
      CHECK(length(toDouble(axes.left) - left) < 2e-7);
      if (pitch == 0.0) CHECK(std::abs(aim.rollRad - turn) < 1e-15);
    }
  }
}

TEST_CASE("a clock's phase is the time of slot 0, whose azimuth stays what it is") {
  SensorRecipe sensor = hdl64e(10.0);
  sensor.clock.phaseNs = 12'345;
  CHECK(slotTimeNs(sensor, 0) == 12'345);
  CHECK(slotTimeNs(sensor, 3) == 12'345 + 96'000);
  CHECK(aimOf(sensor, 0, 1, 0).azimuthRad == 0.0);
  CHECK(firstSlotFrom(sensor, 0) == 0);
  CHECK(firstSlotFrom(sensor, 12'345) == 0);
  CHECK(firstSlotFrom(sensor, 12'346) == 1);
  CHECK(firstSlotFrom(sensor, 12'345 + 96'000) == 3);
}

TEST_CASE("the first slot from a time is the first, for every kind of scan, also after a day") {
  SensorRecipe spinning = hdl64e(7.0);
  spinning.slotsPerSecond = 27'777.7;  // whole times are rare
  SensorRecipe late = mirrorOf({0.1});
  late.clock.phaseNs = 4'000'000'123;
  SensorRecipe camera = cameraOf(320, 2, 1.0, 30.0);
  SensorRecipe lateCamera = cameraOf(7, 2, 1.0, 12.7);
  lateCamera.clock.phaseNs = 77;
  const std::array<SensorRecipe, 5> sensors{spinning, lms291(), late, camera, lateCamera};
  for (const SensorRecipe& sensor : sensors) {
    for (const std::uint64_t from : {std::uint64_t{0}, std::uint64_t{86'400'000'000'000}}) {
      const std::uint64_t near = firstSlotFrom(sensor, static_cast<std::int64_t>(from));
      for (std::uint64_t slot = near; slot < near + 700; ++slot) {
        for (const std::int64_t offNs : {-1, 0, 1}) {
          const std::int64_t timeNs = slotTimeNs(sensor, slot) + offNs;
          const std::uint64_t first = firstSlotFrom(sensor, timeNs);
          REQUIRE(slotTimeNs(sensor, first) >= timeNs);
          REQUIRE((first == 0 || slotTimeNs(sensor, first - 1) < timeNs));
        }
      }
    }
  }
}

TEST_CASE("an interval holds whole images only") {
  const SensorRecipe camera = cameraOf(320, 2, 1.0, 30.0);
  // Images at 0, 33,333,333 and 66,666,667 ns.
  CHECK(firstSlotFrom(camera, 1) == 320);
  CHECK(firstSlotFrom(camera, 33'333'333) == 320);
  CHECK(firstSlotFrom(camera, 33'333'334) == 640);
  CHECK(firstSlotFrom(camera, 66'666'667) == 640);
  CHECK(firstSlotFrom(camera, 1'000'000'000) == 30 * 320);
  CHECK(slotTimeNs(camera, 639) == 33'333'333);
}
