// The description as JSON and columns.
#include "scanWorker/describeHandler.h"

#include <cmath>
#include <deque>

#include "core/error.h"
#include "core/sensor/describe.h"

namespace understory {
namespace {

using nlohmann::json;

constexpr std::size_t maxRays = 1U << 20U;

// Columns with the memory that they view. A deque: bytes stay where they are as others follow.
struct ColumnStorage {
  std::deque<std::vector<std::byte>> bytes;
  std::vector<ColumnView> views;

  template <typename Value, typename Row, typename Function>
  void add(const char* name, const char* type, const std::vector<Row>& rows, Function&& valueOf) {
    std::vector<std::byte>& column = bytes.emplace_back();
    column.reserve(rows.size() * sizeof(Value));
    for (const Row& row : rows) {
      const Value value = valueOf(row);
      const auto part = std::as_bytes(std::span(&value, 1));
      column.insert(column.end(), part.begin(), part.end());
    }
    views.push_back({name, type, rows.size(), column});
  }

  template <typename Row, typename Function>
  void addReal(const char* name, const std::vector<Row>& rows, Function&& valueOf) {
    add<double>(name, "f64", rows, valueOf);
  }
};

json jsonOf(const BeamMoments& moments) {
  return {{"weight", moments.weight},
          {"left", moments.left},
          {"up", moments.up},
          {"leftSquared", moments.leftSquared},
          {"upSquared", moments.upSquared},
          {"leftUp", moments.leftUp}};
}

void addColumns(const SensorDescription& description, ColumnStorage& columns) {
  using Ray = StencilRay;
  using Pulse = DescribedPulse;
  using Laser = DescribedLaser;
  columns.addReal("ray_left", description.rays, [](const Ray& ray) { return ray.left; });
  columns.addReal("ray_up", description.rays, [](const Ray& ray) { return ray.up; });
  columns.addReal("ray_weight", description.rays, [](const Ray& ray) { return ray.weight; });

  const auto& pulses = description.pulses;
  columns.add<std::uint16_t>("pulse_ring", "u16", pulses, [](const Pulse& p) { return p.ring; });
  columns.add<std::int64_t>("pulse_time_ns", "i64", pulses,
                            [](const Pulse& p) { return p.aim.timeNs; });
  columns.addReal("pulse_azimuth_rad", pulses, [](const Pulse& p) { return p.aim.azimuthRad; });
  columns.addReal("pulse_elevation_rad", pulses, [](const Pulse& p) { return p.aim.elevationRad; });
  columns.addReal("pulse_reported_azimuth_rad", pulses,
                  [](const Pulse& p) { return p.reported.azimuthRad; });

  const auto& lasers = description.lasers;
  columns.add<std::uint16_t>("laser_ring", "u16", lasers, [](const Laser& l) { return l.ring; });
  columns.addReal("laser_elevation_rad", lasers, [](const Laser& l) { return l.elevationRad; });
  columns.addReal("laser_azimuth_offset_rad", lasers,
                  [](const Laser& l) { return l.azimuthOffsetRad; });
  columns.add<std::int64_t>("laser_firing_offset_ns", "i64", lasers,
                            [](const Laser& l) { return l.firingOffsetNs; });
  columns.addReal("laser_range_bias_m", lasers, [](const Laser& l) { return l.rangeBiasM; });
}

}  // namespace

Message handleDescribe(const Frame& request) {
  const json& body = request.header.at("body");
  const SensorRecipe sensor = parseSensorRecipe(body.at("sensor"));
  const double rangeM = body.value("rangeM", 10.0);
  if (!std::isfinite(rangeM) || rangeM <= 0.0) {
    throw UnderstoryError("bad-input", "rangeM: expected a finite number above 0");
  }
  DescribeOptions options;
  options.seed = body.value("seed", options.seed);
  options.beamPulses = body.value("beamPulses", options.beamPulses);
  const std::size_t rays =
      sensor.beam.stencil == StencilKind::rays ? sensor.beam.rays.count : raysPerPulse;
  if (options.beamPulses < 1 || options.beamPulses > maxRays / rays) {
    throw UnderstoryError("bad-input",
                          "beamPulses: expected 1 to " + std::to_string(maxRays / rays));
  }
  const SensorDescription description = describeSensor(sensor, options);
  const SpotSize spot = spotSize(sensor.beam, rangeM);
  const auto columns = std::make_shared<ColumnStorage>();
  addColumns(description, *columns);
  Message reply;
  reply.body = {{"raysPerPulse", description.raysPerPulse},
                {"differsByPulse", description.differsByPulse},
                {"beam", jsonOf(description.beam)},
                {"profile", jsonOf(description.profile)},
                {"pulsesPerSecond", description.pulsesPerSecond},
                {"pulsesPerScan", description.pulsesPerScan},
                {"isWholeScan", description.isWholeScan},
                {"rangeM", rangeM},
                {"spotM", {{"width", spot.widthM}, {"height", spot.heightM}}}};
  reply.columns = columns->views;
  reply.storage = columns;
  return reply;
}

}  // namespace understory
