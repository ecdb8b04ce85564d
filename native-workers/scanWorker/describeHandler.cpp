// The description as JSON and columns.
#include "scanWorker/describeHandler.h"

#include <cstring>
#include <deque>

#include "core/fieldReader.h"
#include "core/sensor/describe.h"

namespace understory {
namespace {

using nlohmann::json;

// Columns with the memory that they view. A deque: bytes stay where they are as others follow.
struct ColumnStorage {
  std::deque<std::vector<std::byte>> bytes;
  std::vector<ColumnView> views;

  template <typename Value, typename Row, typename Function>
  void add(TypedColumn<Value> column, const std::vector<Row>& rows, Function&& valueOf) {
    std::vector<std::byte>& storage = bytes.emplace_back(rows.size() * sizeof(Value));
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const Value value = valueOf(rows[row]);
      std::memcpy(storage.data() + row * sizeof(Value), &value, sizeof(Value));
    }
    views.push_back(
        {std::string(column.name), std::string(wordOf(TypeOf<Value>::type)), rows.size(), storage});
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
  namespace column = understory::columns::description;
  const auto& rays = description.rays;
  columns.add(column::rayLeft, rays, [](const Ray& ray) { return ray.left; });
  columns.add(column::rayUp, rays, [](const Ray& ray) { return ray.up; });
  columns.add(column::rayWeight, rays, [](const Ray& ray) { return ray.weight; });

  const auto& pulses = description.pulses;
  columns.add(column::pulseRing, pulses, [](const Pulse& p) { return p.ring; });
  columns.add(column::pulseTimeNs, pulses, [](const Pulse& p) { return p.aim.timeNs; });
  columns.add(column::pulseAzimuthRad, pulses, [](const Pulse& p) { return p.aim.azimuthRad; });
  columns.add(column::pulseElevationRad, pulses, [](const Pulse& p) { return p.aim.elevationRad; });
  columns.add(column::pulseReportedAzimuthRad, pulses,
              [](const Pulse& p) { return p.reported.azimuthRad; });

  const auto& lasers = description.lasers;
  columns.add(column::laserRing, lasers, [](const Laser& l) { return l.ring; });
  columns.add(column::laserElevationRad, lasers, [](const Laser& l) { return l.elevationRad; });
  columns.add(column::laserAzimuthOffsetRad, lasers,
              [](const Laser& l) { return l.azimuthOffsetRad; });
  columns.add(column::laserFiringOffsetNs, lasers, [](const Laser& l) { return l.firingOffsetNs; });
  columns.add(column::laserRangeBiasM, lasers, [](const Laser& l) { return l.rangeBiasM; });
}

struct DescribeRequest {
  SensorRecipe sensor;
  double rangeM = 10.0;
  DescribeOptions options;
};

DescribeRequest parseRequest(FieldReader& body) {
  namespace at = fields::describeRequest;
  DescribeRequest request;
  request.sensor = readObject(body.any(at::sensor), "sensor", readSensorRecipe);
  request.rangeM = body.number(at::rangeM, request.rangeM);
  request.options.seed = body.integer(at::seed, request.options.seed);
  request.options.beamPulses = body.integer(at::beamPulses, request.options.beamPulses);
  const BeamRecipe& beam = request.sensor.beam;
  const std::size_t rays = beam.stencil == StencilKind::rays ? beam.rays.count : raysPerPulse;
  const std::size_t maxPulses = bounds::maxDescribedRays / rays;
  if (request.options.beamPulses > maxPulses) {
    body.refuse(at::beamPulses.name, "at most " + std::to_string(maxPulses));
  }
  return request;
}

}  // namespace

Message handleDescribe(const Frame& frame) {
  const auto [sensor, rangeM, options] =
      readObject(frame.header.at("body"), "request", parseRequest);
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
