// Rays, pulses and lasers of a sensor.
#include "core/sensor/describe.h"

#include <algorithm>
#include <cmath>

#include "core/sensor/beamSampler.h"
#include "core/sensor/pulses.h"
#include "core/sensor/serial.h"

namespace understory {
namespace {

BeamMoments momentsOf(const std::vector<StencilRay>& rays, double pulses) {
  BeamMoments sum;
  for (const StencilRay& ray : rays) {
    const double weight = ray.weight / pulses;
    sum.weight += weight;
    sum.left += weight * ray.left;
    sum.up += weight * ray.up;
    sum.leftSquared += weight * ray.left * ray.left;
    sum.upSquared += weight * ray.up * ray.up;
    sum.leftUp += weight * ray.left * ray.up;
  }
  return sum;
}

void describeBeam(const SensorRecipe& sensor, const DescribeOptions& options,
                  SensorDescription& description) {
  const BeamSampler sampler(sensor, options.seed);
  const std::size_t rays = sampler.raysPerPulse();
  description.raysPerPulse = rays;
  description.differsByPulse = sampler.isPerPulse();
  description.rays.resize(rays * options.beamPulses);
  for (std::size_t pulse = 0; pulse < options.beamPulses; ++pulse) {
    sampler.draw(pulse, std::span(description.rays).subspan(pulse * rays, rays));
  }
  description.beam = momentsOf(description.rays, static_cast<double>(options.beamPulses));
  const SpotProfile& profile = sampler.profile();
  description.profile = {1.0, 0.0, 0.0, profile.leftSquared(), profile.upSquared(), 0.0};
}

std::uint64_t slotsOfScan(const SensorRecipe& sensor) {
  if (sensor.scan.panorama) return sensor.scan.panorama->slots();
  if (!sensor.scan.isTurning) return sensor.scan.slotsPerScan;
  // Those before the next turn begins. Why a billionth less: whole numbers must stay exact.
  const double slots = std::ceil(sensor.slotsPerSecond / sensor.scan.rateHz - 1e-9);
  return static_cast<std::uint64_t>(std::max(1.0, slots));
}

// Which slots of a panorama are described where there are too many of them: those of lines side by side, again and
// again, so that all of its turn is there. All slots of other scans.
class LineChoice {
 public:
  LineChoice(const SensorRecipe& sensor, std::size_t maxPulses) {
    if (!sensor.scan.panorama || sensor.scan.panorama->slots() <= maxPulses) return;
    slotsBefore_ = &sensor.scan.panorama->slotsBefore;
    linesApart_ = (sensor.scan.panorama->slots() / maxPulses + 2) * linesTogether;
  }

  bool operator()(std::uint64_t slot) const {
    if (slotsBefore_ == nullptr) return true;
    const auto after = std::upper_bound(slotsBefore_->begin(), slotsBefore_->end(), slot);
    const auto line = static_cast<std::uint64_t>(after - slotsBefore_->begin()) - 1;
    return line % linesApart_ < linesTogether;
  }

 private:
  static constexpr std::uint64_t linesTogether = 4;

  const std::vector<std::uint64_t>* slotsBefore_ = nullptr;
  std::uint64_t linesApart_ = linesTogether;
};

void describeScan(const SensorRecipe& sensor, const DescribeOptions& options,
                  SensorDescription& description) {
  const PulseNumbering numbering = pulseNumbering(sensor);
  description.pulsesPerSecond = sensor.slotsPerSecond *
                                static_cast<double>(numbering.pulsesBefore.back()) /
                                static_cast<double>(sensor.slotPattern.size());
  description.pulsesPerScan = description.pulsesPerSecond / sensor.scan.rateHz;
  if (sensor.scan.panorama)
    description.pulsesPerScan = static_cast<double>(sensor.scan.panorama->slots());
  const std::uint64_t slots = slotsOfScan(sensor);
  const LineChoice isDescribed(sensor, options.maxPulses);
  for (std::uint64_t slot = 0; slot < slots; ++slot) {
    if (!isDescribed(slot)) {
      description.isWholeScan = false;
      continue;
    }
    const std::uint32_t bank = bankOfSlot(sensor, slot);
    const LaserBank& lasers = sensor.banks[bank];
    if (description.pulses.size() + lasers.rings.size() > options.maxPulses) {
      description.isWholeScan = false;
      return;
    }
    for (std::size_t laser = 0; laser < lasers.rings.size(); ++laser) {
      const auto [aim, reported] = aimsOf(sensor, slot, bank, laser);
      description.pulses.push_back({lasers.rings[laser], aim, reported.value_or(aim)});
    }
  }
}

void describeLasers(const SensorRecipe& sensor, SensorDescription& description) {
  const std::vector<double> biasesM = laserBiasesM(sensor);
  for (const LaserBank& bank : sensor.banks) {
    for (std::size_t laser = 0; laser < bank.rings.size(); ++laser) {
      const std::uint16_t ring = bank.rings[laser];
      description.lasers.push_back(
          {ring, bank.elevationsRad[laser],
           bank.azimuthOffsetsRad.empty() ? 0.0 : bank.azimuthOffsetsRad[laser],
           bank.firingOffsetsNs.empty() ? 0 : bank.firingOffsetsNs[laser],
           biasesM.empty() ? 0.0 : biasesM[ring]});
    }
  }
  std::stable_sort(
      description.lasers.begin(), description.lasers.end(),
      [](const DescribedLaser& a, const DescribedLaser& b) { return a.ring < b.ring; });
}

}  // namespace

SensorDescription describeSensor(const SensorRecipe& sensor, const DescribeOptions& options) {
  SensorDescription description;
  describeBeam(sensor, options, description);
  describeScan(sensor, options, description);
  describeLasers(sensor, description);
  return description;
}

SpotSize spotSize(const BeamRecipe& beam, double rangeM) {
  return {beam.apertureHorizontalM + 2.0 * rangeM * std::tan(0.5 * beam.divergenceHorizontalRad),
          beam.apertureVerticalM + 2.0 * rangeM * std::tan(0.5 * beam.divergenceVerticalRad)};
}

}  // namespace understory
