// Scans from a vehicle in the meadow: plain, and with everything that is random or takes the general path.
#pragma once

#include "test/native/support/meadow.h"

namespace understory {

// An HDL-64E that moves and turns.
inline ScanJob drive(std::int64_t fromNs, std::int64_t toNs) {
  ScanJob job = standingJob(hdl64e(10.0), {}, 0.0);
  job.sensor.returns.mode = ReturnMode::strongestAndLast;
  job.sensor.returns.rangeResolutionM = 0.5;
  job.trajectory = {{0, 100'000'000},
                    {{{0.0, 0.0, 2.0}, {}}, {{0.2, 0.1, 2.0}, rotationAbout({0, 0, 1}, 0.1)}}};
  job.interval.fromNs = fromNs;
  job.interval.toNs = toNs;
  job.withMisses = true;
  return job;
}

// A drive with everything that is random or takes the general way: dithered rays, jitter, noise, lost returns,
// lasers with clocks and azimuths of their own, echoes; leaves and mirrors are the scene's part.
inline ScanJob roughDrive(std::int64_t fromNs, std::int64_t toNs) {
  ScanJob job = drive(fromNs, toNs);
  SensorRecipe& sensor = job.sensor;
  sensor.beam.stencil = StencilKind::rays;
  sensor.beam.rays = {7, {BeamProfile::gaussian}, RaySampling::stratified, true};
  sensor.radiometry = Radiometry::radarEquation;
  sensor.returns.mode = ReturnMode::all;
  sensor.returns.rangeResolutionM = 0.3;
  sensor.noise = {.laserBiasSigmaM = 0.02,
                  .rangeSigmaM = 0.01,
                  .incidenceSigmaM = 0.002,
                  .rangeSigmaPerM = 1e-4,
                  .signalSigmaM = 1e-4,
                  .pointingSigmaRad = 1e-3,
                  .dropOutShare = 0.1};
  sensor.quantisation.azimuthRad = radians(0.09);
  sensor.quantisation.rangeM = 0.002;
  for (LaserBank& bank : sensor.banks) {
    for (std::size_t laser = 0; laser < bank.rings.size(); ++laser) {
      bank.firingOffsetsNs.push_back(static_cast<std::int64_t>(laser) * 700);
      bank.azimuthOffsetsRad.push_back(laser % 2 == 0 ? 0.05 : -0.05);
    }
  }
  job.seed = 11;
  return job;
}

// Leaves that let light on, and a ring of mirrors around the start.
inline std::unique_ptr<const TracedScene> meadowWithMirrors(std::size_t threads) {
  SceneMaker maker;
  maker.material(gauzeMaterial(0.5, 0.3));
  maker.material(0.3F);
  const std::uint16_t mirror = maker.model(wallMesh(1.0F, 3, maker.material(mirrorMaterial())));
  for (int turn = 0; turn < 12; ++turn) {
    const double yawRad = 2.0 * piRad * turn / 12.0;
    maker.place(mirror, {6.0 * std::cos(yawRad), 6.0 * std::sin(yawRad), 1.5},
                rotationAbout({0.0, 0.0, 1.0}, yawRad + 0.3));
  }
  return meadowAround(maker, threads);
}

}  // namespace understory
