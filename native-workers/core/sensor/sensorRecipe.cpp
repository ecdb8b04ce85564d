// Reading a sensor document. It was checked by the host already; what would break the tracer is
// checked again, because the worker trusts nobody.
#include "core/sensor/sensorRecipe.h"

#include <cmath>
#include <map>

#include "core/error.h"

namespace understory {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& path, const std::string& expected) {
  throw UnderstoryError("bad-input", "sensor: " + path + ": expected " + expected,
                        {{"problems", {{{"path", path}, {"code", "custom"}, {"message", "expected " + expected}}}}});
}

template <typename Value>
Value wordAt(const json& object, const char* key, const std::map<std::string, Value>& words) {
  const auto found = words.find(object.at(key).get<std::string>());
  if (found == words.end()) refuse(key, "one of the documented words");
  return found->second;
}

double numberAt(const json& object, const char* key, double least) {
  const double value = object.at(key).get<double>();
  if (!std::isfinite(value) || value < least) {
    refuse(key, "a finite number of at least " + std::to_string(least));
  }
  return value;
}

LaserBlock parseBlock(const json& object) {
  LaserBlock block{object.at("elevationsRad").get<std::vector<double>>(),
                   object.at("rings").get<std::vector<std::uint16_t>>()};
  if (block.elevationsRad.empty() || block.elevationsRad.size() != block.rings.size()) {
    refuse("blocks", "as many rings as elevations, at least one");
  }
  return block;
}

void parseScan(const json& scan, SensorRecipe& sensor) {
  sensor.isSpinning = wordAt<bool>(scan, "kind", {{"spinning", true}, {"sweep", false}});
  sensor.rateHz = numberAt(scan, "rateHz", 1e-6);
  if (sensor.isSpinning) return;
  sensor.minAzimuthRad = numberAt(scan, "minAzimuthRad", -100.0);
  sensor.maxAzimuthRad = numberAt(scan, "maxAzimuthRad", sensor.minAzimuthRad);
  sensor.slotsPerScan = static_cast<std::uint64_t>(numberAt(scan, "slotsPerScan", 1.0));
}

BeamRecipe parseBeam(const json& beam) {
  return {wordAt<SpotShape>(beam, "shape",
                            {{"circular", SpotShape::circular},
                             {"rectangular", SpotShape::rectangular},
                             {"elliptical", SpotShape::elliptical}}),
          numberAt(beam, "divergenceHorizontalRad", 0.0),
          numberAt(beam, "divergenceVerticalRad", 0.0),
          wordAt<StencilKind>(beam, "stencil",
                              {{"moment", StencilKind::moment},
                               {"goodin2018", StencilKind::goodin2018}})};
}

ReturnsRecipe parseReturns(const json& returns) {
  return {wordAt<ReturnMode>(returns, "mode",
                             {{"strongest", ReturnMode::strongest},
                              {"last", ReturnMode::last},
                              {"strongest-and-last", ReturnMode::strongestAndLast},
                              {"first", ReturnMode::first},
                              {"closest", ReturnMode::closest}}),
          numberAt(returns, "signalCutoffM", 0.0), returns.at("window").get<bool>()};
}

}  // namespace

SensorRecipe parseSensorRecipe(const json& document) {
  try {
    SensorRecipe sensor;
    sensor.id = document.at("id").get<std::string>();
    parseScan(document.at("scan"), sensor);
    sensor.slotsPerSecond = numberAt(document, "slotsPerSecond", 1e-6);
    for (const json& block : document.at("blocks")) sensor.blocks.push_back(parseBlock(block));
    sensor.slotPattern = document.at("slotPattern").get<std::vector<std::uint32_t>>();
    for (const std::uint32_t block : sensor.slotPattern) {
      if (block >= sensor.blocks.size()) refuse("slotPattern", "indices of blocks");
    }
    if (sensor.slotPattern.empty()) refuse("slotPattern", "at least one slot");
    sensor.minRangeM = numberAt(document, "minRangeM", 0.0);
    sensor.maxRangeM = numberAt(document, "maxRangeM", sensor.minRangeM);
    sensor.beam = parseBeam(document.at("beam"));
    sensor.returns = parseReturns(document.at("returns"));
    return sensor;
  } catch (const json::exception& error) {
    throw UnderstoryError("bad-input", std::string("sensor: ") + error.what());
  }
}

}  // namespace understory
