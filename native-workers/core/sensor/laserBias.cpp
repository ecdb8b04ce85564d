// One normal number for each ring.
#include "core/sensor/laserBias.h"

#include <algorithm>

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

}  // namespace

std::vector<double> laserBiasesM(const SensorRecipe& sensor, std::uint64_t seed) {
  std::vector<double> biasesM;
  if (sensor.noise.laserBiasSigmaM <= 0.0) return biasesM;
  for (std::size_t ring = 0; ring < ringsOf(sensor); ++ring) {
    const auto random = pulseBlock(seed, RandomPurpose::laserBias, sensor.stream, ring, 0);
    biasesM.push_back(sensor.noise.laserBiasSigmaM * normalPair(random)[0]);
  }
  return biasesM;
}

}  // namespace understory
