// Places along a Z-order curve (Morton 1966): places that are near each other on the curve are near each other in space.
#pragma once

#include <algorithm>
#include <cstdint>

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

}  // namespace understory
