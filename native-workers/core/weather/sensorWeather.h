// The weather of a scene as one sensor sees it.
#pragma once

#include <vector>

#include "core/optics/air.h"
#include "core/optics/atmosphere.h"
#include "core/optics/weather.h"
#include "core/returns/detection.h"
#include "core/sensor/sensorRecipe.h"
#include "core/weather/mediumEcho.h"
#include "core/weather/particleField.h"

namespace understory {

class SensorWeather {
 public:
  // Throws UnderstoryError 'bad-input' where a sensor has not what weather needs (checkWeather).
  SensorWeather(const Weather& weather, const Atmosphere& atmosphere, const SensorRecipe& sensor);

  // Whether anything in the air sends light back.
  bool isClear() const { return fields_.empty() && medium_.isEmpty(); }
  const Air& air() const { return air_; }
  const std::vector<ParticleField>& fields() const { return fields_; }
  const MediumEcho& medium() const { return medium_; }

 private:
  Air air_;
  std::vector<ParticleField> fields_;
  MediumEcho medium_;
};

}  // namespace understory
