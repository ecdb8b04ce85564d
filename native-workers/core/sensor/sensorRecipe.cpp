// Reading a sensor document. The host has checked it; the worker checks again what would break the tracer.
#include "core/sensor/sensorRecipe.h"

#include <cmath>

#include "core/fieldReader.h"
#include "core/sensor/receiver.h"
#include "core/sensor/scanRecipe.h"

namespace understory {
namespace {

using nlohmann::json;

LaserBank parseBank(FieldReader& bank) {
  namespace at = fields::bank;
  LaserBank result;
  result.elevationsRad = bank.numberList(at::elevationsRad);
  result.rings = bank.integerList<std::uint16_t>(at::rings);
  const std::size_t lasers = result.elevationsRad.size();
  const auto requireEach = [&](std::string_view name, std::size_t size) {
    if (size != lasers)
      bank.refuse(name, "one value for each of " + std::to_string(lasers) + " lasers");
  };
  requireEach(at::rings.item.name, result.rings.size());
  if (bank.has(at::azimuthOffsetsRad.item)) {
    result.azimuthOffsetsRad = bank.numberList(at::azimuthOffsetsRad);
    requireEach(at::azimuthOffsetsRad.item.name, result.azimuthOffsetsRad.size());
  }
  if (bank.has(at::firingOffsetsNs.item)) {
    result.firingOffsetsNs = bank.integerList<std::int64_t>(at::firingOffsetsNs);
    requireEach(at::firingOffsetsNs.item.name, result.firingOffsetsNs.size());
  }
  const auto readEach = [&](const auto& field, std::vector<double>& to) {
    if (!bank.has(field.item)) return;
    to = bank.numberList(field);
    requireEach(field.item.name, to.size());
  };
  readEach(at::rangeOffsetsM, result.rangeOffsetsM);
  readEach(at::horizontalOffsetsM, result.horizontalOffsetsM);
  readEach(at::verticalOffsetsM, result.verticalOffsetsM);
  return result;
}

SensorClock parseClock(FieldReader& clock) {
  SensorClock result;
  result.phaseNs = clock.integer(fields::clock::phaseNs);
  result.offsetNs = clock.integer(fields::clock::offsetNs);
  result.driftPpm = clock.number(fields::clock::driftPpm);
  return result;
}

BeamRays parseRays(FieldReader& rays) {
  namespace at = fields::beamRays;
  BeamRays result;
  result.count = rays.integer<std::size_t>(at::count);
  if (rays.any(at::profile).is_array()) {
    result.profile = BeamProfile::tabulated;
    result.table = rays.rows<2>({at::profile.name, 2, SIZE_MAX});
  } else {
    const bool isUniform =
        rays.word(WordField<NamedProfile>{at::profile.name}) == NamedProfile::uniform;
    result.profile = isUniform ? BeamProfile::uniform : BeamProfile::gaussian;
  }
  result.isRandom = rays.word(at::sampling) == RaySampling::random;
  result.isDithered = rays.flag(at::dither);
  return result;
}

// Why: where a ray starts on the window follows from where it goes.
void requireSpread(FieldReader& beam, std::string_view name, double apertureM,
                   double divergenceRad) {
  if (apertureM > 0.0 && divergenceRad <= 0.0) beam.refuse(name, "0 without a divergence");
}

BeamRecipe parseBeam(FieldReader& beam) {
  namespace at = fields::beam;
  BeamRecipe result;
  result.shape = beam.word(at::shape);
  result.divergenceHorizontalRad = beam.number(at::divergenceHorizontalRad);
  result.divergenceVerticalRad = beam.number(at::divergenceVerticalRad);
  result.stencil = beam.word(at::stencil);
  result.apertureHorizontalM = beam.number(at::apertureHorizontalM, 0.0);
  result.apertureVerticalM = beam.number(at::apertureVerticalM, 0.0);
  requireSpread(beam, at::apertureHorizontalM.name, result.apertureHorizontalM,
                result.divergenceHorizontalRad);
  requireSpread(beam, at::apertureVerticalM.name, result.apertureVerticalM,
                result.divergenceVerticalRad);
  if (beam.has(at::overlapM.item)) {
    const auto [fromM, fullM] = beam.numbers<2>(at::overlapM);
    if (!(fullM > fromM)) beam.refuse(at::overlapM.item.name, "a second range beyond the first");
    result.overlap = {fromM, fullM};
  }
  if (beam.has(at::rays)) result.rays = beam.object(at::rays, parseRays);
  if (result.stencil == StencilKind::rays && !beam.has(at::rays)) {
    beam.refuse(at::rays.name, "the rays of stencil 'rays', found nothing");
  }
  return result;
}

ReflectanceGate parseGate(FieldReader& gate) {
  namespace at = fields::gate;
  ReflectanceGate result;
  result.fullToM = gate.number(at::fullToM);
  result.noneBeyondM = gate.number(at::noneBeyondM);
  if (result.noneBeyondM < result.fullToM) gate.refuse(at::noneBeyondM.name, "at least fullToM");
  result.reflectanceNear = gate.number(at::reflectanceNear);
  result.reflectanceFar = gate.number(at::reflectanceFar);
  return result;
}

WaveformRecipe parseWaveform(FieldReader& waveform) {
  namespace at = fields::waveform;
  const WaveformRecipe result{waveform.number(at::binNs), waveform.number(at::pulseWidthNs)};
  // The pulse of every hit is added to all the bins that it reaches.
  if (result.pulseWidthNs > 1000.0 * result.binNs) {
    waveform.refuse(at::binNs.name, "at least a thousandth of pulseWidthNs");
  }
  return result;
}

DetectionRecipe parseDetection(FieldReader& detection) {
  namespace at = fields::detection;
  DetectionRecipe result;
  result.reflectance = detection.number(at::reflectance);
  result.rangeM = detection.number(at::rangeM);
  result.probability = detection.number(at::probability);
  result.falseAlarmsPerPulse = detection.number(at::falseAlarmsPerPulse);
  return result;
}

ReturnsRecipe parseReturns(FieldReader& returns) {
  namespace at = fields::returns;
  ReturnsRecipe result;
  result.mode = returns.word(at::mode);
  result.signalCutoffM = returns.number(at::signalCutoffM);
  result.isWindowed = returns.flag(at::window);
  result.rangeResolutionM = returns.number(at::rangeResolutionM, 0.0);
  result.maxReturns = returns.integer(at::maxReturns, result.maxReturns);
  result.detectionThreshold = returns.number(at::detectionThreshold, 0.0);
  result.detection = returns.optionalObject(at::detection, parseDetection);
  result.detectionFalloff = returns.number(at::detectionFalloff, 0.0);
  result.gate = returns.optionalObject(at::gate, parseGate);
  result.waveform = returns.optionalObject(at::waveform, parseWaveform);
  if (hasSeveralReturns(result.mode) && !separatesEchoes(result)) {
    returns.refuse(at::mode.name, "a mode of one return without rangeResolutionM and waveform");
  }
  if (result.detection && rangeCellM(result) <= 0.0) {
    returns.refuse(at::detection.name, "a waveform, a rangeResolutionM or a signalCutoffM with it");
  }
  return result;
}

NoiseRecipe parseNoise(FieldReader& noise) {
  namespace at = fields::noise;
  NoiseRecipe result;
  result.laserBiasSigmaM = noise.number(at::laserBiasSigmaM);
  result.rangeSigmaM = noise.number(at::rangeSigmaM);
  result.incidenceSigmaM = noise.number(at::incidenceSigmaM);
  result.rangeSigmaPerM = noise.number(at::rangeSigmaPerM);
  result.signalSigmaM = noise.number(at::signalSigmaM);
  result.limitSigmaM = noise.number(at::limitSigmaM, 0.0);
  result.pointingSigmaRad = noise.number(at::pointingSigmaRad);
  result.dropOutShare = noise.number(at::dropOutShare);
  result.mountPositionSigmaM = noise.number(at::mountPositionSigmaM, 0.0);
  result.mountAngleSigmaRad = noise.number(at::mountAngleSigmaRad, 0.0);
  return result;
}

IntensityRecipe parseIntensity(FieldReader& intensity) {
  namespace at = fields::intensity;
  IntensityRecipe result;
  if (intensity.has(at::scale)) {
    result.scale = intensity.rows<2>(at::scale);
    const auto isBelow = [](const auto& one, const auto& next) {
      return one[0] < next[0] && one[1] < next[1];
    };
    std::array<double, 2> last{};
    for (const std::array<double, 2>& point : result.scale) {
      if (!isBelow(last, point)) intensity.refuse(at::scale.name, "rising signals and numbers");
      last = point;
    }
  }
  result.noiseSigma = intensity.number(at::noiseSigma);
  result.noiseShare = intensity.number(at::noiseShare);
  result.saturation = intensity.number(at::saturation, 0.0);
  result.step = intensity.number(at::step);
  return result;
}

// Slots per second that follow from a scan; of a turning head they are its own.
double slotsPerSecondOf(const SensorRecipe& sensor) {
  if (sensor.isTurning) return sensor.slotsPerSecond;
  if (sensor.panorama) return sensor.panorama->ticksPerSecond * sensor.panorama->activeShare;
  return static_cast<double>(sensor.slotsPerScan) * sensor.rateHz;
}

void parsePattern(FieldReader& document, SensorRecipe& sensor) {
  namespace at = fields::sensor;
  sensor.slotsPerSecond = document.number(at::slotsPerSecond);
  // The first slot from a time on is searched from a guess by slotsPerSecond; slots have their times by the scan.
  const double expected = slotsPerSecondOf(sensor);
  if (!(std::abs(sensor.slotsPerSecond - expected) <= 1e-6 * expected)) {
    document.refuse(at::slotsPerSecond.name,
                    nlohmann::json(expected).dump() + ", as its scan has them");
  }
  sensor.banks = document.list(at::banks, parseBank);
  sensor.slotPattern = document.integerList<std::uint32_t>(at::slotPattern);
  for (std::size_t slot = 0; slot < sensor.slotPattern.size(); ++slot) {
    if (sensor.slotPattern[slot] >= sensor.banks.size()) {
      document.refuse(at::slotPattern.item.name, "the index of a bank", slot);
    }
  }
}

// The mirror of a panorama has one laser behind it, on its axis.
bool hasOneLaser(const SensorRecipe& sensor) {
  if (sensor.banks.size() != 1 || sensor.banks[0].rings.size() != 1) return false;
  const LaserBank& bank = sensor.banks[0];
  return bank.azimuthOffsetsRad.empty() && bank.firingOffsetsNs.empty() &&
         bank.horizontalOffsetsM.empty() && bank.verticalOffsetsM.empty();
}

SensorRecipe parseSensor(FieldReader& document) {
  namespace at = fields::sensor;
  SensorRecipe sensor;
  sensor.id = document.text(at::id);
  sensor.serial = document.has(at::serial) ? document.text(at::serial) : sensor.id;
  document.object(at::scan, [&](FieldReader& scan) { parseScan(scan, sensor); });
  sensor.stream = document.integer(at::stream, sensor.stream);
  if (document.has(at::clock)) sensor.clock = document.object(at::clock, parseClock);
  parsePattern(document, sensor);
  if (sensor.panorama && !hasOneLaser(sensor)) {
    document.refuse(at::banks.name, "one laser without offsets for a panorama");
  }
  if (document.has(at::deadRings.item)) {
    sensor.deadRings = document.integerList<std::uint16_t>(at::deadRings);
  }
  sensor.deadShare = document.number(at::deadShare, 0.0);
  sensor.minRangeM = document.number(at::minRangeM);
  sensor.maxRangeM = document.number(at::maxRangeM);
  if (sensor.maxRangeM < sensor.minRangeM)
    document.refuse(at::maxRangeM.name, "at least minRangeM");
  sensor.backfoldM = document.number(at::backfoldM, 0.0);
  sensor.wavelengthNm = document.number(at::wavelengthNm, sensor.wavelengthNm);
  sensor.beam = document.object(at::beam, parseBeam);
  sensor.radiometry = document.word(at::radiometry, sensor.radiometry);
  sensor.returns = document.object(at::returns, parseReturns);
  if (document.has(at::noise)) sensor.noise = document.object(at::noise, parseNoise);
  if (document.has(at::intensity)) {
    sensor.intensity = document.object(at::intensity, parseIntensity);
  }
  if (document.has(at::quantisation)) {
    document.object(at::quantisation, [&](FieldReader& steps) {
      sensor.rangeStepM = steps.number(fields::quantisation::rangeM);
      sensor.azimuthStepRad = steps.number(fields::quantisation::azimuthRad);
    });
  }
  return sensor;
}

}  // namespace

SensorRecipe parseSensorRecipe(const json& document) {
  return readObject(document, "sensor", parseSensor);
}

}  // namespace understory
