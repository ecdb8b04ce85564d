// Reading of the scan, by its kind.
#include "core/sensor/scanLayout.h"

#include <stdexcept>
#include <utility>

#include "core/fieldReader.h"

namespace understory {
namespace {

void requireRising(const FieldReader& scan, std::string_view name, const ScanLayout& layout) {
  if (layout.maxAzimuthRad < layout.minAzimuthRad) {
    scan.refuse(name,
                "at least " + nlohmann::json(layout.minAzimuthRad).dump() + ", where it begins");
  }
}

// The spot has its horizontal axis along the turn of the head, its vertical one along the line. A mirror at 45 degrees
// would turn it about the beam by the mirror's angle: with the circular spots of these scanners nothing changes.
void readPanorama(FieldReader& scan, ScanLayout& layout) {
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
  panorama.panoramasPerSecond = layout.rateHz;
  panorama.firstSlot = scan.integer<std::uint64_t>(at::firstSlot, panorama.firstSlot);
  try {
    countSlots(panorama);
  } catch (const std::invalid_argument&) {
    scan.refuse(at::linesPerSecond.name, "a panorama of one pulse and a million lines at most");
  }
  layout.isTurning = false;
  layout.isClockwise = panorama.toRad < panorama.fromRad;
  layout.panorama = std::move(panorama);
}

ScanLayout readLayout(FieldReader& scan) {
  ScanLayout layout;
  layout.rateHz = scan.number(fields::spinning::rateHz);
  switch (scan.kind<ScanKind>(fields::spinning::kind)) {
    case ScanKind::spinning:
      layout.isClockwise = scan.word(fields::spinning::direction,
                                     TurnDirection::counterClockwise) == TurnDirection::clockwise;
      break;
    case ScanKind::sweep:
      layout.isTurning = false;
      layout.minAzimuthRad = scan.number(fields::sweep::minAzimuthRad);
      layout.maxAzimuthRad = scan.number(fields::sweep::maxAzimuthRad);
      layout.slotsPerScan = scan.integer<std::uint64_t>(fields::sweep::slotsPerScan);
      layout.activeShare = scan.number(fields::sweep::activeShare, 1.0);
      requireRising(scan, fields::sweep::maxAzimuthRad.name, layout);
      break;
    case ScanKind::mirror:
      layout.isTurning = false;
      layout.isMirrored = true;
      layout.minAzimuthRad = scan.number(fields::mirrorScan::minAngleRad);
      layout.maxAzimuthRad = scan.number(fields::mirrorScan::maxAngleRad);
      layout.slotsPerScan = scan.integer<std::uint64_t>(fields::mirrorScan::slotsPerScan);
      layout.activeShare = scan.number(fields::mirrorScan::activeShare, 1.0);
      requireRising(scan, fields::mirrorScan::maxAngleRad.name, layout);
      break;
    case ScanKind::panorama:
      readPanorama(scan, layout);
      break;
    case ScanKind::image:
      layout.isTurning = false;
      layout.isInstant = true;
      layout.slotsPerScan = scan.integer<std::uint64_t>(fields::image::columns);
      layout.horizontalFovRad = scan.number(fields::image::horizontalFovRad);
      scan.skip(fields::image::rows);  // one laser each, in the only bank
      break;
  }
  return layout;
}

}  // namespace

ScanLayout readScanLayout(FieldReader& sensor, const Field& field) {
  return sensor.object(field, readLayout);
}

}  // namespace understory
