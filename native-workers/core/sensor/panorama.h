// A tripod's panorama: a mirror draws one line after another while the head turns below it. A laser ticks at a fixed
// rate from the start of each panorama on; a tick is a slot while the mirror sweeps its field of view. Panoramas follow one
// another without a pause, and slots are numbered through all of them, without gaps.
#pragma once

#include <cstdint>
#include <vector>

namespace understory {

struct Panorama {
  double ticksPerSecond = 0.0;
  double linesPerSecond = 0.0;
  double activeShare = 1.0;  // part of a line's time in which the mirror sweeps its field of view
  double minElevationRad = 0.0;
  double maxElevationRad = 0.0;
  double fromRad = 0.0;  // azimuth of the head at the start
  double toRad = 0.0;    // at the end; below `fromRad` for heads that turn clockwise
  double panoramasPerSecond = 0.0;
  std::uint64_t firstSlot = 0;  // the slot at the start of the first panorama; none is before it
  std::vector<std::uint64_t> slotsBefore;  // by line of a panorama, and all of them at the end

  std::uint64_t slots() const { return slotsBefore.back(); }
};

// Most lines of a panorama: each is a number in memory.
inline constexpr double maxPanoramaLines = 1e6;

// Counts the slots of each line. Throws std::invalid_argument for more than maxPanoramaLines, or no slot at all.
void countSlots(Panorama& panorama);

// One slot of a panorama: when and where, without rounding.
struct PanoramaAim {
  double seconds = 0.0;  // since the start of the first panorama
  double headRad = 0.0;
  double elevationRad = 0.0;
};
PanoramaAim panoramaAim(const Panorama& panorama, std::uint64_t slot);

// A slot next to a time in seconds since the start of the first panorama: at most two away from the first at or after it.
std::uint64_t panoramaSlotNear(const Panorama& panorama, double seconds);

}  // namespace understory
