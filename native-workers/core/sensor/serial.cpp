// Draws keyed by the serial number.
#include "core/sensor/serial.h"

#include <algorithm>
#include <cmath>

#include "core/random/philox.h"

namespace understory {
namespace {

std::size_t ringsOf(const SensorRecipe& sensor) {
  std::size_t rings = 0;
  for (const LaserBank& bank : sensor.banks) {
    for (const std::uint16_t ring : bank.rings) rings = std::max<std::size_t>(rings, ring + 1U);
  }
  return rings;
}

bool isAllZero(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value == 0.0; });
}

}  // namespace

std::uint64_t serialKey(std::string_view serial) {
  std::uint64_t key = 0xCBF29CE484222325U;
  for (const char letter : serial) {
    key = (key ^ static_cast<std::uint8_t>(letter)) * 0x100000001B3U;
  }
  return key;
}

std::vector<double> laserBiasesM(const SensorRecipe& sensor) {
  std::vector<double> biasesM(ringsOf(sensor), 0.0);
  for (const LaserBank& bank : sensor.banks) {
    for (std::size_t laser = 0; laser < bank.rangeOffsetsM.size(); ++laser) {
      biasesM[bank.rings[laser]] = bank.rangeOffsetsM[laser];
    }
  }
  if (sensor.noise.laserBiasSigmaM > 0.0) {
    const std::uint64_t key = serialKey(sensor.serial.value_or(sensor.id));
    for (std::size_t ring = 0; ring < biasesM.size(); ++ring) {
      const auto random = pulseBlock(key, RandomPurpose::laserBias, 0, ring, 0);
      biasesM[ring] += sensor.noise.laserBiasSigmaM * normalPair(random)[0];
    }
  }
  if (isAllZero(biasesM)) biasesM.clear();
  return biasesM;
}

std::vector<std::uint8_t> deadLasers(const SensorRecipe& sensor) {
  std::vector<std::uint8_t> isDead(ringsOf(sensor), 0);
  for (const std::uint16_t ring : sensor.deadRings) {
    if (ring < isDead.size()) isDead[ring] = 1;
  }
  if (sensor.deadShare > 0.0) {
    const std::uint64_t key = serialKey(sensor.serial.value_or(sensor.id));
    for (std::size_t ring = 0; ring < isDead.size(); ++ring) {
      const auto random = pulseBlock(key, RandomPurpose::deadLaser, 0, ring, 0);
      if (uniformFrom(random[0], random[1]) < sensor.deadShare) isDead[ring] = 1;
    }
  }
  const bool allWork =
      std::all_of(isDead.begin(), isDead.end(), [](std::uint8_t dead) { return dead == 0; });
  if (allWork) isDead.clear();
  return isDead;
}

bool hasMountError(const SensorRecipe& sensor) {
  return sensor.noise.mountPositionSigmaM > 0.0 || sensor.noise.mountAngleSigmaRad > 0.0;
}

Pose mountError(const SensorRecipe& sensor) {
  const std::uint64_t key = serialKey(sensor.serial.value_or(sensor.id));
  const auto pair = [&](std::uint64_t number) {
    return normalPair(pulseBlock(key, RandomPurpose::mount, 0, number, 0));
  };
  const auto [x, y] = pair(0);
  const auto [z, roll] = pair(1);
  const auto [pitch, yaw] = pair(2);
  const Vec3d half = Vec3d{roll, pitch, yaw} * (0.5 * sensor.noise.mountAngleSigmaRad);
  const double angle = std::sqrt(dot(half, half));
  const double scale = angle > 0.0 ? std::sin(angle) / angle : 1.0;
  Pose error;
  error.positionM = Vec3d{x, y, z} * sensor.noise.mountPositionSigmaM;
  error.rotation = {half.x * scale, half.y * scale, half.z * scale, std::cos(angle)};
  return error;
}

}  // namespace understory
