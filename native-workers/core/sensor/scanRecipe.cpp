// Reading of the scan, by its kind.
#include "core/sensor/scanRecipe.h"

namespace understory {
namespace {

void requireRising(const FieldReader& scan, std::string_view name, const SensorRecipe& sensor) {
  if (sensor.maxAzimuthRad < sensor.minAzimuthRad) {
    scan.refuse(name,
                "at least " + nlohmann::json(sensor.minAzimuthRad).dump() + ", where it begins");
  }
}

}  // namespace

void parseScan(FieldReader& scan, SensorRecipe& sensor) {
  sensor.rateHz = scan.number(fields::spinning::rateHz);
  switch (scan.kind<ScanKind>(fields::spinning::kind)) {
    case ScanKind::spinning:
      sensor.isClockwise = scan.word(fields::spinning::direction,
                                     TurnDirection::counterClockwise) == TurnDirection::clockwise;
      break;
    case ScanKind::sweep:
      sensor.isTurning = false;
      sensor.minAzimuthRad = scan.number(fields::sweep::minAzimuthRad);
      sensor.maxAzimuthRad = scan.number(fields::sweep::maxAzimuthRad);
      sensor.slotsPerScan = scan.integer<std::uint64_t>(fields::sweep::slotsPerScan);
      requireRising(scan, fields::sweep::maxAzimuthRad.name, sensor);
      break;
    case ScanKind::mirror:
      sensor.isTurning = false;
      sensor.isMirrored = true;
      sensor.minAzimuthRad = scan.number(fields::mirrorScan::minAngleRad);
      sensor.maxAzimuthRad = scan.number(fields::mirrorScan::maxAngleRad);
      sensor.slotsPerScan = scan.integer<std::uint64_t>(fields::mirrorScan::slotsPerScan);
      requireRising(scan, fields::mirrorScan::maxAngleRad.name, sensor);
      break;
    case ScanKind::image:
      sensor.isTurning = false;
      sensor.isInstant = true;
      sensor.slotsPerScan = scan.integer<std::uint64_t>(fields::image::columns);
      sensor.horizontalFovRad = scan.number(fields::image::horizontalFovRad);
      scan.skip(fields::image::rows);  // one laser each, in the only bank
      break;
  }
}

}  // namespace understory
