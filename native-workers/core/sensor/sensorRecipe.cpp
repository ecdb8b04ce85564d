// Reading a sensor document. It was checked by the host already; what would break the tracer is
// checked again, because the worker trusts nobody.
#include "core/sensor/sensorRecipe.h"

#include <cmath>
#include <map>

#include "core/error.h"
#include "core/maths/maths.h"

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

double optionalNumber(const json& object, const char* key, double least, double fallback) {
  return object.contains(key) ? numberAt(object, key, least) : fallback;
}

template <typename Value>
std::vector<Value> optionalList(const json& object, const char* key, std::size_t size) {
  if (!object.contains(key)) return {};
  auto values = object.at(key).get<std::vector<Value>>();
  if (values.size() != size) refuse(key, "one value for each laser");
  return values;
}

LaserBank parseBank(const json& object) {
  LaserBank bank;
  bank.elevationsRad = object.at("elevationsRad").get<std::vector<double>>();
  bank.rings = object.at("rings").get<std::vector<std::uint16_t>>();
  if (bank.elevationsRad.empty() || bank.elevationsRad.size() != bank.rings.size()) {
    refuse("blocks", "as many rings as elevations, at least one");
  }
  const std::size_t lasers = bank.rings.size();
  bank.azimuthOffsetsRad = optionalList<double>(object, "azimuthOffsetsRad", lasers);
  bank.firingOffsetsNs = optionalList<std::int64_t>(object, "firingOffsetsNs", lasers);
  return bank;
}

void parseScan(const json& scan, SensorRecipe& sensor) {
  sensor.kind = wordAt<ScanKind>(scan, "kind",
                                 {{"spinning", ScanKind::spinning},
                                  {"sweep", ScanKind::sweep},
                                  {"mirror", ScanKind::mirror},
                                  {"image", ScanKind::image}});
  sensor.rateHz = numberAt(scan, "rateHz", 1e-6);
  if (sensor.kind == ScanKind::spinning) return;
  if (sensor.kind == ScanKind::image) {
    sensor.slotsPerScan = static_cast<std::uint64_t>(numberAt(scan, "columns", 1.0));
    sensor.horizontalFovRad = numberAt(scan, "horizontalFovRad", 1e-9);
    if (sensor.horizontalFovRad >= piRad) refuse("scan.horizontalFovRad", "less than a half turn");
    return;
  }
  const bool isSweep = sensor.kind == ScanKind::sweep;
  sensor.minAzimuthRad = numberAt(scan, isSweep ? "minAzimuthRad" : "minAngleRad", -100.0);
  sensor.maxAzimuthRad =
      numberAt(scan, isSweep ? "maxAzimuthRad" : "maxAngleRad", sensor.minAzimuthRad);
  sensor.slotsPerScan = static_cast<std::uint64_t>(numberAt(scan, "slotsPerScan", 1.0));
}

SensorClock parseClock(const json& clock) {
  SensorClock result;
  result.phaseNs = static_cast<std::int64_t>(numberAt(clock, "phaseNs", 0.0));
  result.offsetNs = static_cast<std::int64_t>(numberAt(clock, "offsetNs", -1e18));
  result.driftPpm = numberAt(clock, "driftPpm", -1e5);
  return result;
}

BeamRays parseRays(const json& rays) {
  BeamRays result;
  result.count = static_cast<std::size_t>(numberAt(rays, "count", 1.0));
  if (result.count > 65536) refuse("beam.rays.count", "at most 65536");
  if (rays.at("profile").is_array()) {
    result.profile = BeamProfile::tabulated;
    result.table = rays.at("profile").get<std::vector<std::array<double, 2>>>();
    if (result.table.size() < 2) refuse("beam.rays.profile", "at least two points");
  } else {
    result.profile = wordAt<BeamProfile>(
        rays, "profile", {{"uniform", BeamProfile::uniform}, {"gaussian", BeamProfile::gaussian}});
  }
  result.isRandom = wordAt<bool>(rays, "sampling", {{"stratified", false}, {"random", true}});
  result.isDithered = rays.at("dither").get<bool>();
  return result;
}

BeamRecipe parseBeam(const json& beam) {
  BeamRecipe result;
  result.shape = wordAt<SpotShape>(beam, "shape",
                                   {{"circular", SpotShape::circular},
                                    {"rectangular", SpotShape::rectangular},
                                    {"elliptical", SpotShape::elliptical}});
  result.divergenceHorizontalRad = numberAt(beam, "divergenceHorizontalRad", 0.0);
  result.divergenceVerticalRad = numberAt(beam, "divergenceVerticalRad", 0.0);
  result.stencil = wordAt<StencilKind>(beam, "stencil",
                                       {{"moment", StencilKind::moment},
                                        {"goodin2018", StencilKind::goodin2018},
                                        {"rays", StencilKind::rays}});
  if (result.stencil == StencilKind::rays) result.rays = parseRays(beam.at("rays"));
  return result;
}

ReflectanceGate parseGate(const json& gate) {
  ReflectanceGate result;
  result.fullToM = numberAt(gate, "fullToM", 0.0);
  result.noneBeyondM = numberAt(gate, "noneBeyondM", result.fullToM);
  result.reflectanceNear = numberAt(gate, "reflectanceNear", 0.0);
  result.reflectanceFar = numberAt(gate, "reflectanceFar", 0.0);
  return result;
}

ReturnsRecipe parseReturns(const json& returns) {
  ReturnsRecipe result;
  result.mode = wordAt<ReturnMode>(returns, "mode",
                                   {{"strongest", ReturnMode::strongest},
                                    {"last", ReturnMode::last},
                                    {"strongest-and-last", ReturnMode::strongestAndLast},
                                    {"first", ReturnMode::first},
                                    {"closest", ReturnMode::closest},
                                    {"all", ReturnMode::all}});
  result.signalCutoffM = numberAt(returns, "signalCutoffM", 0.0);
  result.isWindowed = returns.at("window").get<bool>();
  result.rangeResolutionM = optionalNumber(returns, "rangeResolutionM", 0.0, 0.0);
  result.maxReturns = static_cast<std::size_t>(optionalNumber(returns, "maxReturns", 1.0, 3.0));
  if (result.maxReturns > 16) refuse("returns.maxReturns", "at most 16");
  result.detectionThreshold = optionalNumber(returns, "detectionThreshold", 0.0, 0.0);
  if (returns.contains("gate")) result.gate = parseGate(returns.at("gate"));
  if (returns.contains("waveform")) {
    const json& waveform = returns.at("waveform");
    result.waveform = {numberAt(waveform, "binNs", 1e-6), numberAt(waveform, "pulseWidthNs", 1e-6)};
    // Every hit's pulse is laid into all the bins that it reaches.
    if (result.waveform->pulseWidthNs > 1000.0 * result.waveform->binNs) {
      refuse("returns.waveform.binNs", "at least a thousandth of pulseWidthNs");
    }
  }
  return result;
}

NoiseRecipe parseNoise(const json& noise) {
  NoiseRecipe result;
  result.laserBiasSigmaM = numberAt(noise, "laserBiasSigmaM", 0.0);
  result.rangeSigmaM = numberAt(noise, "rangeSigmaM", 0.0);
  result.incidenceSigmaM = numberAt(noise, "incidenceSigmaM", 0.0);
  result.rangeSigmaPerM = numberAt(noise, "rangeSigmaPerM", 0.0);
  result.signalSigmaM = numberAt(noise, "signalSigmaM", 0.0);
  result.pointingSigmaRad = numberAt(noise, "pointingSigmaRad", 0.0);
  result.dropOutShare = numberAt(noise, "dropOutShare", 0.0);
  return result;
}

void parsePattern(const json& document, SensorRecipe& sensor) {
  sensor.slotsPerSecond = numberAt(document, "slotsPerSecond", 1e-6);
  for (const json& bank : document.at("blocks")) sensor.banks.push_back(parseBank(bank));
  sensor.slotPattern = document.at("slotPattern").get<std::vector<std::uint32_t>>();
  for (const std::uint32_t bank : sensor.slotPattern) {
    if (bank >= sensor.banks.size()) refuse("slotPattern", "indices of blocks");
  }
  if (sensor.slotPattern.empty()) refuse("slotPattern", "at least one slot");
}

}  // namespace

SensorRecipe parseSensorRecipe(const json& document) {
  try {
    SensorRecipe sensor;
    sensor.id = document.at("id").get<std::string>();
    parseScan(document.at("scan"), sensor);
    sensor.stream = document.value("stream", 0U);
    if (document.contains("clock")) sensor.clock = parseClock(document.at("clock"));
    parsePattern(document, sensor);
    sensor.minRangeM = numberAt(document, "minRangeM", 0.0);
    sensor.maxRangeM = numberAt(document, "maxRangeM", sensor.minRangeM);
    sensor.backfoldM = optionalNumber(document, "backfoldM", 0.0, 0.0);
    sensor.wavelengthNm = optionalNumber(document, "wavelengthNm", 1.0, sensor.wavelengthNm);
    sensor.beam = parseBeam(document.at("beam"));
    if (document.contains("radiometry")) {
      sensor.radiometry = wordAt<Radiometry>(
          document, "radiometry",
          {{"relative", Radiometry::relative}, {"radar-equation", Radiometry::radarEquation}});
    }
    sensor.returns = parseReturns(document.at("returns"));
    if (document.contains("noise")) sensor.noise = parseNoise(document.at("noise"));
    if (document.contains("quantisation")) {
      sensor.rangeStepM = numberAt(document.at("quantisation"), "rangeM", 0.0);
      sensor.azimuthStepRad = numberAt(document.at("quantisation"), "azimuthRad", 0.0);
    }
    return sensor;
  } catch (const json::exception& error) {
    throw UnderstoryError("bad-input", std::string("sensor: ") + error.what());
  }
}

}  // namespace understory
