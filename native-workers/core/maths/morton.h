// Places along a Z-order curve (Morton 1966): places that are near each other on the curve are near each other in space.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/maths/maths.h"

namespace understory {

// Every bit of 21 to every third of 63.
constexpr std::uint64_t mortonSpread(std::uint64_t value) {
  value = (value | value << 32U) & 0x1F00000000FFFFU;
  value = (value | value << 16U) & 0x1F0000FF0000FFU;
  value = (value | value << 8U) & 0x100F00F00F00F00FU;
  value = (value | value << 4U) & 0x10C30C30C30C30C3U;
  return (value | value << 2U) & 0x1249249249249249U;
}

// The code of a place in the bounds; a place beyond them has that of the nearest within.
inline std::uint64_t mortonPlace(const Boundsf& bounds, Vec3f at) {
  const auto bits = [](float from, float to, float value) {
    const float share = to > from ? (value - from) / (to - from) : 0.0F;
    return static_cast<std::uint64_t>(std::clamp(share, 0.0F, 1.0F) * 2097151.0F);
  };
  return mortonSpread(bits(bounds.min.x, bounds.max.x, at.x)) |
         mortonSpread(bits(bounds.min.y, bounds.max.y, at.y)) << 1U |
         mortonSpread(bits(bounds.min.z, bounds.max.z, at.z)) << 2U;
}

// Sorts numbers by their places along the curve, and those of one place by number. `placeOf` gives the place of a number.
template <typename PlaceOf>
void sortAlongCurve(const Boundsf& bounds, std::vector<std::uint32_t>& numbers,
                    const PlaceOf& placeOf) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> keyed;
  keyed.reserve(numbers.size());
  for (const std::uint32_t number : numbers) {
    keyed.emplace_back(mortonPlace(bounds, placeOf(number)), number);
  }
  std::ranges::sort(keyed);
  std::ranges::transform(keyed, numbers.begin(), [](const auto& entry) { return entry.second; });
}

}  // namespace understory
