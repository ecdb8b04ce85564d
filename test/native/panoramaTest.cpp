// Panoramas against their law: line k = floor(t f), phase u = frac(t f), a pulse at each tick with u < the active share.
#include "core/sensor/panorama.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/maths/maths.h"
#include "core/sensor/aim.h"
#include "core/sensor/describe.h"
#include "core/sensor/pulses.h"
#include "test/native/support/sensors.h"

using namespace understory;

namespace {

struct Law {
  std::uint64_t ticksPerSecond;
  std::uint64_t linesPerSecond;
  double activeShare;
  double seconds;  // of a panorama
};

SensorRecipe sensorOf(const Law& law) {
  SensorRecipe sensor = lms291();
  sensor.scan.rateHz = 1.0 / law.seconds;
  sensor.slotsPerSecond = static_cast<double>(law.ticksPerSecond) * law.activeShare;
  Panorama panorama;
  panorama.ticksPerSecond = static_cast<double>(law.ticksPerSecond);
  panorama.linesPerSecond = static_cast<double>(law.linesPerSecond);
  panorama.activeShare = law.activeShare;
  panorama.minElevationRad = radians(-40.0);
  panorama.maxElevationRad = radians(60.0);
  panorama.fromRad = radians(30.0);
  panorama.toRad = radians(-270.0);
  panorama.panoramasPerSecond = sensor.scan.rateHz;
  countSlots(panorama);
  sensor.scan.panorama = panorama;
  return sensor;
}

// The ticks of a panorama with u < the active share, one by one; u in whole numbers of 1/ticksPerSecond of a line.
std::vector<std::uint64_t> activeTicks(const Law& law) {
  std::vector<std::uint64_t> ticks;
  const auto end = static_cast<std::uint64_t>(
      std::llround(law.seconds * static_cast<double>(law.ticksPerSecond)));
  for (std::uint64_t tick = 0; tick < end; ++tick) {
    const std::uint64_t phase = tick * law.linesPerSecond % law.ticksPerSecond;
    const double active = law.activeShare * static_cast<double>(law.ticksPerSecond);
    // Beyond rounding: a tick at the end of the share is outside.
    if (static_cast<double>(phase) < active - 1e-6) ticks.push_back(tick);
  }
  return ticks;
}

const std::vector<Law> laws{
    {12000, 7, 0.4, 2.0},             // 1714.29 ticks a line
    {30000, 100, 0.5, 1.5},           // 300 ticks a line, 150 of them active
    {1000, 240, 5.0 / 12.0, 1.2345},  // 4.17 ticks a line, the last line cut
    {5000, 11, 1.0, 0.7},             // always active
};

}  // namespace

TEST_CASE("a panorama has the pulses of its law, each where and when the law says") {
  for (const Law& law : laws) {
    CAPTURE(law.linesPerSecond);
    const SensorRecipe sensor = sensorOf(law);
    const std::vector<std::uint64_t> ticks = activeTicks(law);
    REQUIRE(sensor.scan.panorama->slots() == ticks.size());
    for (std::uint64_t slot = 0; slot < 2 * ticks.size(); ++slot) {
      const double within =
          static_cast<double>(ticks[slot % ticks.size()]) / static_cast<double>(law.ticksPerSecond);
      const double seconds = within + (slot >= ticks.size() ? law.seconds : 0.0);
      const PulseAim aim = aimOf(sensor, slot, 0, 0);
      // A rounded nanosecond, and the rounding of the time of a panorama.
      REQUIRE(std::abs(static_cast<double>(aim.timeNs) - seconds * 1e9) <= 0.5 + 1e-5);
      const double turns = within * static_cast<double>(law.linesPerSecond);
      const double phase = std::fmod(turns + 1e-12, 1.0);
      const double elevation = radians(-40.0 + 100.0 * phase / law.activeShare);
      const double head = radians(30.0 - 300.0 * within / law.seconds);
      REQUIRE(std::abs(aim.elevationRad - elevation) < 1e-10);
      REQUIRE(std::abs(aim.azimuthRad - head) < 1e-12);
    }
  }
}

TEST_CASE("a panorama's pulses of a time are found from any time") {
  for (const Law& law : laws) {
    SensorRecipe sensor = sensorOf(law);
    sensor.clock.phaseNs = 1'000'000;
    sensor.scan.panorama->firstSlot = 1000;
    const std::uint64_t slots = sensor.scan.panorama->slots();
    CHECK(firstSlotFrom(sensor, 0) == 1000);
    CHECK(slotTimeNs(sensor, 1000) == 1'000'000);
    for (std::uint64_t slot = 1001; slot < 1000 + 3 * slots; slot += 1 + slot % 7) {
      const std::int64_t timeNs = slotTimeNs(sensor, slot);
      REQUIRE(timeNs > slotTimeNs(sensor, slot - 1));
      REQUIRE(firstSlotFrom(sensor, timeNs) == slot);
      REQUIRE(firstSlotFrom(sensor, timeNs + 1) == slot + 1);
    }
  }
}

TEST_CASE("an encoder of a head that turns clockwise counts in its direction") {
  SensorRecipe sensor = sensorOf(laws[0]);
  sensor.scan.isClockwise = true;
  sensor.quantisation.azimuthRad = radians(0.5);
  for (std::uint64_t slot = 0; slot < sensor.scan.panorama->slots(); slot += 97) {
    const PulseAim aim = aimOf(sensor, slot, 0, 0);
    const double ahead = reportedAimOf(sensor, slot, 0, 0).azimuthRad - aim.azimuthRad;
    REQUIRE(ahead >= -1e-9);
    REQUIRE(ahead < radians(0.5));
  }
}

TEST_CASE("a description of a long panorama has some of its lines, whole, over all of its turn") {
  const Law law{30000, 100, 0.5, 1.5};
  DescribeOptions options;
  options.maxPulses = 3000;
  const SensorDescription description = describeSensor(sensorOf(law), options);
  CHECK(description.pulsesPerScan == 22500.0);
  CHECK(!description.isWholeScan);
  CHECK(description.pulses.size() <= 3000);
  CHECK(description.pulses.size() % 150 == 0);
  CHECK(description.pulses.back().aim.azimuthRad < radians(-200.0));
}
