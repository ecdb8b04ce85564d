// The weather of a scene as one sensor sees it.
#pragma once

#include <span>
#include <vector>

#include "contract/sensorRecipe.h"
#include "core/optics/air.h"
#include "core/optics/atmosphere.h"
#include "core/optics/weather.h"
#include "core/returns/detection.h"
#include "core/weather/mediumEcho.h"
#include "core/weather/particleField.h"
#include "core/weather/plume.h"

namespace understory {

class SensorWeather {
 public:
  // Throws UnderstoryError 'bad-input' where a sensor has not what weather needs (checkWeather).
  // `puffs`: of a plume, in a frame in which the scene's origin is at `originM`.
  SensorWeather(const Weather& weather, const Atmosphere& atmosphere, const SensorRecipe& sensor,
                std::span<const Puff> puffs = {}, Vec3d originM = {});

  // Whether anything in the air sends light back.
  bool isClear() const { return fields_.empty() && medium_.isEmpty() && plume_.isEmpty(); }
  // Without what the plume takes, which lies here and there.
  const Air& air() const { return air_; }
  const std::vector<ParticleField>& fields() const { return fields_; }
  const MediumEcho& medium() const { return medium_; }
  const Plume& plume() const { return plume_; }

 private:
  Air air_;
  std::vector<ParticleField> fields_;
  MediumEcho medium_;
  Plume plume_;
};

}  // namespace understory
