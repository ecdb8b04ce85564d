// Rules across the fields of sensors. The host has checked them; the worker checks again what would break the tracer.
#include <cmath>

#include "contract/sensorRecipe.h"
#include "core/fieldReader.h"
#include "core/sensor/receiver.h"

namespace understory {
namespace {

// Slots per second that follow from a scan; of a turning head they are its own.
double slotsPerSecondOf(const SensorRecipe& sensor) {
  const ScanLayout& scan = sensor.scan;
  if (scan.isTurning) return sensor.slotsPerSecond;
  if (scan.panorama) return scan.panorama->ticksPerSecond * scan.panorama->activeShare;
  return static_cast<double>(scan.slotsPerScan) * scan.rateHz;
}

// The mirror of a panorama has one laser behind it, on its axis.
bool hasOneLaser(const SensorRecipe& sensor) {
  if (sensor.banks.size() != 1 || sensor.banks[0].rings.size() != 1) return false;
  const LaserBank& bank = sensor.banks[0];
  return bank.azimuthOffsetsRad.empty() && bank.firingOffsetsNs.empty() &&
         bank.horizontalOffsetsM.empty() && bank.verticalOffsetsM.empty();
}

}  // namespace

RayProfile readRayProfile(FieldReader& rays, const Field& field) {
  if (rays.any(field).is_array()) {
    return {BeamProfile::tabulated, rays.rows<2>({field.name, 2, SIZE_MAX})};
  }
  const bool isUniform = rays.word(WordField<NamedProfile>{field.name}) == NamedProfile::uniform;
  return {isUniform ? BeamProfile::uniform : BeamProfile::gaussian, {}};
}

void check(const LaserBank& bank, const FieldReader& from) {
  namespace at = fields::bank;
  const std::size_t lasers = bank.elevationsRad.size();
  const auto requireEach = [&](const auto& field, std::size_t size) {
    if (!from.has(field) || size == lasers) return;
    from.refuse(field.item.name, "one value for each of " + std::to_string(lasers) + " lasers");
  };
  requireEach(at::rings, bank.rings.size());
  requireEach(at::azimuthOffsetsRad, bank.azimuthOffsetsRad.size());
  requireEach(at::firingOffsetsNs, bank.firingOffsetsNs.size());
  requireEach(at::rangeOffsetsM, bank.rangeOffsetsM.size());
  requireEach(at::horizontalOffsetsM, bank.horizontalOffsetsM.size());
  requireEach(at::verticalOffsetsM, bank.verticalOffsetsM.size());
}

void check(const BeamRecipe& beam, const FieldReader& from) {
  namespace at = fields::beam;
  // Why: where a ray starts on the window follows from where it goes.
  const auto requireSpread = [&](const NumberField& field, double apertureM, double divergenceRad) {
    if (apertureM > 0.0 && divergenceRad <= 0.0) from.refuse(field.name, "0 without a divergence");
  };
  requireSpread(at::apertureHorizontalM, beam.apertureHorizontalM, beam.divergenceHorizontalRad);
  requireSpread(at::apertureVerticalM, beam.apertureVerticalM, beam.divergenceVerticalRad);
  if (beam.overlapM && !((*beam.overlapM)[1] > (*beam.overlapM)[0])) {
    from.refuse(at::overlapM.item.name, "a second range beyond the first");
  }
  if (beam.stencil == StencilKind::rays && !from.has(at::rays)) {
    from.refuse(at::rays.name, "the rays of stencil 'rays', found nothing");
  }
}

void check(const ReflectanceGate& gate, const FieldReader& from) {
  if (gate.noneBeyondM < gate.fullToM) {
    from.refuse(fields::gate::noneBeyondM.name, "at least fullToM");
  }
}

void check(const WaveformRecipe& waveform, const FieldReader& from) {
  // The pulse of every hit is added to all the bins that it reaches.
  if (waveform.pulseWidthNs > 1000.0 * waveform.binNs) {
    from.refuse(fields::waveform::binNs.name, "at least a thousandth of pulseWidthNs");
  }
}

void check(const ReturnsRecipe& returns, const FieldReader& from) {
  namespace at = fields::returns;
  if (hasSeveralReturns(returns.mode) && !separatesEchoes(returns)) {
    from.refuse(at::mode.name, "a mode of one return without rangeResolutionM and waveform");
  }
  if (returns.detection && rangeCellM(returns) <= 0.0) {
    from.refuse(at::detection.name, "a waveform, a rangeResolutionM or a signalCutoffM with it");
  }
}

void check(const IntensityRecipe& intensity, const FieldReader& from) {
  std::array<double, 2> last{};
  for (const std::array<double, 2>& point : intensity.scale) {
    if (!(last[0] < point[0] && last[1] < point[1])) {
      from.refuse(fields::intensity::scale.name, "rising signals and numbers");
    }
    last = point;
  }
}

void check(const SensorRecipe& sensor, const FieldReader& from) {
  namespace at = fields::sensor;
  // The first slot from a time on is searched from a guess by slotsPerSecond; slots have their times by the scan.
  const double expected = slotsPerSecondOf(sensor);
  if (!(std::abs(sensor.slotsPerSecond - expected) <= 1e-6 * expected)) {
    from.refuse(at::slotsPerSecond.name,
                nlohmann::json(expected).dump() + ", as its scan has them");
  }
  for (std::size_t slot = 0; slot < sensor.slotPattern.size(); ++slot) {
    if (sensor.slotPattern[slot] >= sensor.banks.size()) {
      from.refuse(at::slotPattern.item.name, "the index of a bank", slot);
    }
  }
  if (sensor.scan.panorama && !hasOneLaser(sensor)) {
    from.refuse(at::banks.name, "one laser without offsets for a panorama");
  }
  if (sensor.maxRangeM < sensor.minRangeM) from.refuse(at::maxRangeM.name, "at least minRangeM");
}

}  // namespace understory
