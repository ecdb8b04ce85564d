// Reading of the scan, by its kind.
#include "core/sensor/scanRecipe.h"

#include <stdexcept>
#include <utility>

namespace understory {
namespace {

void requireRising(const FieldReader& scan, std::string_view name, const SensorRecipe& sensor) {
  if (sensor.maxAzimuthRad < sensor.minAzimuthRad) {
    scan.refuse(name,
                "at least " + nlohmann::json(sensor.minAzimuthRad).dump() + ", where it begins");
  }
}

// The spot has its horizontal axis along the turn of the head, its vertical one along the line. A mirror at 45 degrees
// would turn it about the beam by the mirror's angle: with the circular spots of these scanners nothing changes.
void parsePanorama(FieldReader& scan, SensorRecipe& sensor) {
  namespace at = fields::panorama;
  Panorama panorama;
  panorama.ticksPerSecond = scan.number(at::pulseRateHz);
  panorama.linesPerSecond = scan.number(at::linesPerSecond);
  panorama.activeShare = scan.number(at::activeShare);
  panorama.minElevationRad = scan.number(at::minElevationRad);
  panorama.maxElevationRad = scan.number(at::maxElevationRad);
  if (panorama.maxElevationRad <= panorama.minElevationRad) {
    scan.refuse(at::maxElevationRad.name, "more than minElevationRad");
  }
  panorama.fromRad = scan.number(at::fromRad);
  panorama.toRad = scan.number(at::toRad);
  panorama.panoramasPerSecond = sensor.rateHz;
  panorama.firstSlot = scan.integer<std::uint64_t>(at::firstSlot, panorama.firstSlot);
  try {
    countSlots(panorama);
  } catch (const std::invalid_argument&) {
    scan.refuse(at::linesPerSecond.name, "a panorama of one pulse and a million lines at most");
  }
  sensor.isTurning = false;
  sensor.isClockwise = panorama.toRad < panorama.fromRad;
  sensor.panorama = std::move(panorama);
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
      sensor.activeShare = scan.number(fields::sweep::activeShare, 1.0);
      requireRising(scan, fields::sweep::maxAzimuthRad.name, sensor);
      break;
    case ScanKind::mirror:
      sensor.isTurning = false;
      sensor.isMirrored = true;
      sensor.minAzimuthRad = scan.number(fields::mirrorScan::minAngleRad);
      sensor.maxAzimuthRad = scan.number(fields::mirrorScan::maxAngleRad);
      sensor.slotsPerScan = scan.integer<std::uint64_t>(fields::mirrorScan::slotsPerScan);
      sensor.activeShare = scan.number(fields::mirrorScan::activeShare, 1.0);
      requireRising(scan, fields::mirrorScan::maxAngleRad.name, sensor);
      break;
    case ScanKind::panorama:
      parsePanorama(scan, sensor);
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
