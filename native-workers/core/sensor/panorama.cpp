// Line k = floor(t f), phase u = frac(t f); where u < activeShare the elevation is
// min + (max - min) u / activeShare, and the head is at from + (to - from) t / T, T the time of a panorama.
#include "core/sensor/panorama.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace understory {
namespace {

// The first whole number at or after a place between ticks. Why a millionth: a place that is a whole number of ticks
// may have been rounded to just after it.
double tickFrom(double place) { return std::max(0.0, std::ceil(place - 1e-6)); }

double ticksPerLine(const Panorama& panorama) {
  return panorama.ticksPerSecond / panorama.linesPerSecond;
}

double firstTickOfLine(const Panorama& panorama, std::uint64_t line) {
  return tickFrom(static_cast<double>(line) * ticksPerLine(panorama));
}

}  // namespace

void countSlots(Panorama& panorama) {
  const double endTick = tickFrom(panorama.ticksPerSecond / panorama.panoramasPerSecond);
  const double lines = std::ceil(panorama.linesPerSecond / panorama.panoramasPerSecond - 1e-6);
  if (lines > maxPanoramaLines) throw std::invalid_argument("too many lines");
  const auto lineCount = static_cast<std::uint64_t>(std::max(1.0, lines));
  panorama.slotsBefore.assign(1, 0);
  for (std::uint64_t line = 0; line < lineCount; ++line) {
    const double active = static_cast<double>(line) + panorama.activeShare;
    const double end = std::min(endTick, tickFrom(active * ticksPerLine(panorama)));
    const double slots = std::max(0.0, end - firstTickOfLine(panorama, line));
    panorama.slotsBefore.push_back(panorama.slots() + static_cast<std::uint64_t>(slots));
  }
  if (panorama.slots() == 0) throw std::invalid_argument("no slots");
}

PanoramaAim panoramaAim(const Panorama& panorama, std::uint64_t slot) {
  // A slot batch may begin before the first slot.
  const std::uint64_t number = slot > panorama.firstSlot ? slot - panorama.firstSlot : 0;
  const std::uint64_t panoramasBefore = number / panorama.slots();
  const std::uint64_t within = number % panorama.slots();
  const std::uint64_t lines = panorama.slotsBefore.size() - 1;
  auto line = static_cast<std::uint64_t>(static_cast<double>(within) /
                                         static_cast<double>(panorama.slots()) *
                                         static_cast<double>(lines));
  line = std::min(line, lines - 1);
  while (panorama.slotsBefore[line] > within) --line;
  while (panorama.slotsBefore[line + 1] <= within) ++line;
  const double tick =
      firstTickOfLine(panorama, line) + static_cast<double>(within - panorama.slotsBefore[line]);
  // Why not tick / ticksPerLine: the products are whole numbers for the rates of data sheets.
  const double phase =
      (tick * panorama.linesPerSecond - static_cast<double>(line) * panorama.ticksPerSecond) /
      panorama.ticksPerSecond;
  const double seconds = tick / panorama.ticksPerSecond;
  const double share = std::max(0.0, phase) / panorama.activeShare;
  return {static_cast<double>(panoramasBefore) / panorama.panoramasPerSecond + seconds,
          panorama.fromRad +
              (panorama.toRad - panorama.fromRad) * (seconds * panorama.panoramasPerSecond),
          panorama.minElevationRad + (panorama.maxElevationRad - panorama.minElevationRad) * share};
}

std::uint64_t panoramaSlotNear(const Panorama& panorama, double seconds) {
  const double before = std::floor(seconds * panorama.panoramasPerSecond);
  const double within = std::max(0.0, seconds - before / panorama.panoramasPerSecond);
  const std::uint64_t lines = panorama.slotsBefore.size() - 1;
  const std::uint64_t line =
      std::min(static_cast<std::uint64_t>(within * panorama.linesPerSecond), lines - 1);
  const double tick = std::ceil(within * panorama.ticksPerSecond) - firstTickOfLine(panorama, line);
  const std::uint64_t slot =
      panorama.slotsBefore[line] + static_cast<std::uint64_t>(std::max(0.0, tick));
  return panorama.firstSlot + static_cast<std::uint64_t>(before) * panorama.slots() +
         std::min(slot, panorama.slotsBefore[line + 1]);
}

}  // namespace understory
