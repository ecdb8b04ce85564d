// Sensors for tests, written out by hand: what assets/sensors compile to is tested elsewhere.
#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "contract/sensorRecipe.h"
#include "core/maths/maths.h"

namespace understory {

inline double radians(double degrees) { return degrees * piRad / 180.0; }

inline LaserBank laserBank(double fromDeg, double toDeg, std::size_t count,
                           std::uint16_t firstRing) {
  LaserBank block;
  for (std::size_t laser = 0; laser < count; ++laser) {
    const double share =
        count == 1 ? 0.0 : static_cast<double>(laser) / static_cast<double>(count - 1);
    block.elevationsRad.push_back(radians(fromDeg + (toDeg - fromDeg) * share));
    block.rings.push_back(static_cast<std::uint16_t>(firstRing + laser));
  }
  return block;
}

// Goodin 2018, table 3: three upper firings to one lower, 31,250 slots a second.
inline SensorRecipe hdl64e(double rateHz) {
  SensorRecipe sensor;
  sensor.id = "hdl-64e-goodin2018";
  sensor.scan.rateHz = rateHz;
  sensor.slotsPerSecond = 31250.0;
  sensor.banks = {laserBank(-24.8, -11.6127, 32, 0), laserBank(-11.1873, 2.0, 32, 32)};
  sensor.slotPattern = {1, 1, 1, 0};
  sensor.minRangeM = 1.0;
  sensor.maxRangeM = 100.0;
  sensor.beam = {SpotShape::rectangular, 0.0033, 0.0007};
  sensor.returns = {ReturnMode::strongest, 1.0, false};
  return sensor;
}

// Goodin 2018, table 2.
inline SensorRecipe lms291() {
  SensorRecipe sensor;
  sensor.id = "lms-291-goodin2018";
  sensor.scan.isTurning = false;
  sensor.scan.rateHz = 37.5;
  sensor.scan.minAzimuthRad = radians(-50.0);
  sensor.scan.maxAzimuthRad = radians(50.0);
  sensor.scan.slotsPerScan = 201;
  sensor.slotsPerSecond = 37.5 * 201.0;
  sensor.banks = {laserBank(0.0, 0.0, 1, 0)};
  sensor.slotPattern = {0};
  sensor.maxRangeM = 80.0;
  sensor.beam = {SpotShape::circular, 0.0129, 0.0129};
  sensor.returns = {ReturnMode::first, 1.6, false};
  return sensor;
}

// One pulse a second along x, from t = 0; a pencil unless a spot is asked for.
inline SensorRecipe singleBeam(double divergenceRad, ReturnMode mode, double cutoffM) {
  SensorRecipe sensor = lms291();
  sensor.id = "single-beam";
  sensor.scan.rateHz = 1.0;
  sensor.scan.minAzimuthRad = 0.0;
  sensor.scan.maxAzimuthRad = 0.0;
  sensor.scan.slotsPerScan = 1;
  sensor.slotsPerSecond = 1.0;
  sensor.maxRangeM = 100.0;
  sensor.beam = {SpotShape::rectangular, divergenceRad, divergenceRad};
  sensor.returns = {mode, cutoffM, false};
  return sensor;
}

// The same of a single ray; every return.
inline SensorRecipe singleRaySensor() {
  SensorRecipe sensor = singleBeam(0.0, ReturnMode::all, 0.0);
  sensor.beam.stencil = StencilKind::rays;
  sensor.beam.rays.count = 1;
  sensor.returns.maxReturns = 16;
  return sensor;
}

// Emitters at these pitches on a mirror that turns from -90 to 90 degrees in steps of one.
inline SensorRecipe mirrorOf(std::vector<double> pitchesRad) {
  SensorRecipe sensor = lms291();
  sensor.scan.isTurning = false;
  sensor.scan.isMirrored = true;
  sensor.scan.rateHz = 12.5;
  sensor.scan.minAzimuthRad = radians(-90.0);
  sensor.scan.maxAzimuthRad = radians(90.0);
  sensor.scan.slotsPerScan = 181;
  sensor.slotsPerSecond = 12.5 * 181.0;
  LaserBank block;
  for (std::size_t laser = 0; laser < pitchesRad.size(); ++laser) {
    block.rings.push_back(static_cast<std::uint16_t>(laser));
  }
  block.elevationsRad = std::move(pitchesRad);
  sensor.banks = {block};
  return sensor;
}

// As domain/sensor compiles an image: rows from the lowest up.
inline SensorRecipe cameraOf(std::size_t columns, std::size_t rows, double fovRad, double rateHz) {
  SensorRecipe sensor = lms291();
  sensor.scan.isTurning = false;
  sensor.scan.isInstant = true;
  sensor.scan.rateHz = rateHz;
  sensor.scan.slotsPerScan = columns;
  sensor.slotsPerSecond = static_cast<double>(columns) * rateHz;
  sensor.scan.horizontalFovRad = fovRad;
  const double pixel = 2.0 * std::tan(0.5 * fovRad) / static_cast<double>(columns);
  LaserBank block;
  for (std::size_t row = 0; row < rows; ++row) {
    const double middle = 0.5 * static_cast<double>(rows - 1);
    block.elevationsRad.push_back(std::atan((static_cast<double>(row) - middle) * pixel));
    block.rings.push_back(static_cast<std::uint16_t>(row));
  }
  sensor.banks = {block};
  return sensor;
}

}  // namespace understory
