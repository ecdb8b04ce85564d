// Bodies of the head and of the summary of a log, checked.
#include "core/log/logHead.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "contract/contract.h"

namespace understory {
namespace {

using nlohmann::json;

std::uint64_t countIn(const json& object, const char* name) {
  const json& count = object.at(name);
  if (!count.is_number_unsigned()) throw std::runtime_error(std::string("a count '") + name + "'");
  return count.get<std::uint64_t>();
}

std::optional<double> numberIn(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number()) return {};
  return found->get<double>();
}

std::optional<LogHead::Detection> detectionIn(const json& sensor) {
  const json found = sensor.value(json::json_pointer("/recipe/returns/detection"), json());
  if (!found.is_object()) return {};
  return LogHead::Detection{found.value("reflectance", 0.0), found.value("rangeM", 0.0),
                            found.value("probability", 0.0),
                            found.value("falseAlarmsPerPulse", 0.0)};
}

void expectLogColumns(const LogHead& head) {
  namespace at = columns::log;
  constexpr std::array required{at::timeNs.name,     at::sweep.name,      at::laser.name,
                                at::state.name,      at::rangeM.name,     at::intensity.name,
                                at::azimuthRad.name, at::originXM.name,   at::originYM.name,
                                at::originZM.name,   at::directionX.name, at::directionY.name,
                                at::directionZ.name};
  constexpr std::array optional{at::label.name, at::classId.name, at::objectId.name,
                                at::trueRangeM.name, at::beamShare.name};
  for (const std::string_view name : required) {
    if (!head.has(name)) throw std::runtime_error("a column '" + std::string(name) + "'");
  }
  for (const std::string& name : head.columns) {
    if (std::ranges::count(required, name) + std::ranges::count(optional, name) != 1) {
      throw std::runtime_error("columns of a log, found '" + name + "'");
    }
  }
}

}  // namespace

bool LogHead::has(std::string_view column) const {
  return std::ranges::find(columns, column) != columns.end();
}

Vec3d logPositionOf(const json& value) {
  return {value.at(0).get<double>(), value.at(1).get<double>(), value.at(2).get<double>()};
}

LogCounts logCountsOf(const json& body) {
  LogCounts counts{countIn(body, "beams"), countIn(body, "returns"), countIn(body, "misses"),
                   countIn(body, "missesInferred"), countIn(body, "unknown")};
  std::uint64_t left = counts.beams;
  for (const std::uint64_t part :
       {counts.returns, counts.misses, counts.missesInferred, counts.unknown}) {
    if (part > left) throw std::runtime_error("counts that add up");
    left -= part;
  }
  if (left != 0) throw std::runtime_error("counts that add up");
  return counts;
}

LogHead logHeadOf(const json& body) {
  LogHead head;
  if (body.at("format") != 1) throw std::runtime_error("version 1 of the format");
  head.originM = logPositionOf(body.at("originM"));
  if (body.at("crs").is_string()) head.crs = body.at("crs").get<std::string>();
  head.columns = body.at("columns").get<std::vector<std::string>>();
  expectLogColumns(head);
  head.classes = body.at("classes").get<std::vector<std::string>>();
  const json& sensor = body.at("sensor");
  if (sensor.at("name").is_string()) head.sensor = sensor.at("name").get<std::string>();
  head.minRangeM = numberIn(sensor, "minM");
  head.maxRangeM = numberIn(sensor, "maxM");
  head.rangeStepM = numberIn(sensor, "rangeStepM");
  head.detection = detectionIn(sensor);
  head.intensityOfWhite = numberIn(body, "intensityOfWhite");
  head.knowsMisses = body.at("misses").get<std::string>() != "unknown";
  return head;
}

}  // namespace understory
