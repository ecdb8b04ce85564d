// The meaning of the kinds of scan, of which a sensor names none. In C++ only scanLayout.cpp knows them, in TypeScript
// contract/documents/scan.
#pragma once

#include <cstdint>
#include <optional>

#include "contract/contract.h"
#include "core/sensor/panorama.h"

namespace understory {

class FieldReader;

struct ScanLayout {
  double rateHz = 0.0;         // revolutions, scans, images or panoramas per second
  bool isTurning = true;       // a whole turn without end; otherwise scans of slotsPerScan slots
  bool isClockwise = false;    // of heads that turn, seen from above
  bool isMirrored = false;     // azimuths are angles of a mirror that the lasers look at
  bool isInstant = false;      // all slots of a scan fire at once: the columns of a pinhole image
  double minAzimuthRad = 0.0;  // of scans from one azimuth to another
  double maxAzimuthRad = 0.0;
  std::uint64_t slotsPerScan = 1;
  double activeShare = 1.0;       // of the time of such a scan: its slots are fired in it
  double horizontalFovRad = 0.0;  // of an image
  std::optional<Panorama> panorama{};
};

// Reads a sensor's `scan`. Throws UnderstoryError 'bad-input'.
ScanLayout readScanLayout(FieldReader& sensor, const Field& field);

}  // namespace understory
