// Fields first, as what they do not draw is extinction.
#include "core/weather/sensorWeather.h"

#include <string>

#include "core/error.h"
#include "core/sensor/receiver.h"
#include "core/weather/bump.h"

namespace understory {
namespace {

// Assumed for sensors whose file states none.
constexpr Overlap assumedOverlap{0.9, 1.0};
constexpr double depthStepM = 0.125;
constexpr double maxDropsPerPulse = 256.0;

void refuse(const std::string& message) {
  throw UnderstoryError(ErrorCode::badInput, "sensor." + message);
}

void checkWeather(const Weather& weather, const SensorRecipe& sensor) {
  if (isClear(weather)) return;
  const ReturnsRecipe& returns = sensor.returns;
  if (!hasDetectionLimit(returns)) {
    refuse("returns.detection: weather needs a detection limit, found none");
  }
  if (!separatesEchoes(returns)) {
    refuse("returns.rangeResolutionM: weather needs a resolution or a waveform, found neither");
  }
  if (!weather.particles.empty() &&
      !(sensor.beam.apertureHorizontalM > 0.0 && sensor.beam.apertureVerticalM > 0.0)) {
    refuse("beam: rain and snow need both apertures, found none");
  }
}

Overlap overlapOf(const Weather& weather, const BeamRecipe& beam) {
  if (beam.overlapM) return {(*beam.overlapM)[0], (*beam.overlapM)[1]};
  if (isClear(weather)) return {};
  return assumedOverlap;
}

Air airOf(const Weather& weather, const Atmosphere& atmosphere, const SensorRecipe& sensor) {
  Air air;
  air.extinctionPerM = extinctionPerM(atmosphere, sensor.wavelengthNm);
  for (const Medium& medium : weather.media) {
    air.extinctionPerM += extinctionPerM(medium, sensor.wavelengthNm);
  }
  air.overlap = overlapOf(weather, sensor.beam);
  return air;
}

}  // namespace

SensorWeather::SensorWeather(const Weather& weather, const Atmosphere& atmosphere,
                             const SensorRecipe& sensor, std::span<const Puff> puffs, Vec3d originM)
    : air_((checkWeather(weather, sensor), airOf(weather, atmosphere, sensor))),
      medium_({}, sensor, air_, 0.0) {
  if (understory::isClear(weather)) return;
  if (weather.plume) plume_ = Plume(*weather.plume, puffs, originM);
  const Detector detector(sensor, 0);
  RangeTable depths;
  depths.stepM = depthStepM;
  for (const Particles& particles : weather.particles) {
    fields_.emplace_back(particles, static_cast<std::uint32_t>(fields_.size()), sensor, detector,
                         air_);
    if (fields_.back().meanDrops() > maxDropsPerPulse) {
      refuse(
          "returns.detection: expected at most 256 drops or flakes that a pulse can see, found " +
          std::to_string(fields_.back().meanDrops()));
    }
  }
  if (!fields_.empty()) {
    depths.values.resize(static_cast<std::size_t>(sensor.maxRangeM / depthStepM) + 2);
    for (const ParticleField& field : fields_) field.addUndrawn(depths);
    air_.undrawn = std::make_shared<const RangeTable>(std::move(depths));
  }
  const double nearestM = std::max(air_.overlap.fullM, sensor.minRangeM);
  medium_ = MediumEcho(weather.media, sensor, air_, minCountedSignal(detector, nearestM));
}

}  // namespace understory
