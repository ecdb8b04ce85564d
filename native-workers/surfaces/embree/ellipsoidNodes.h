// Nodes and leaves of a tree of ellipsoids: eight children or ellipsoids side by side.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/maths/lanes.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace understory::ellipsoids {

inline constexpr std::size_t width = 8;
inline constexpr unsigned maxDepth = 32;

using Floats = float __attribute__((vector_size(width * sizeof(float))));
using Masks = std::int32_t __attribute__((vector_size(width * sizeof(float))));
// Masks of Lanes, a lane for each line of a packet.
using LineMasks = std::int32_t __attribute__((vector_size(sizeof(Lanes))));
using Lane = std::array<float, width>;

// Boxes of the children; those that a node lacks are empty.
struct alignas(32) Node {
  std::array<Lane, 6> sides;  // least x, y, z, then greatest
  std::array<const void*, width> children;
};

struct alignas(32) Leaf {
  std::array<Lane, 3> meanM;
  std::array<Lane, 6> whitening;
  Lane limitSquared;  // below 0: there is none
  Lane permeability;
  std::array<std::uint32_t, width> support;
  std::array<std::uint32_t, width> element;
};

// Pointers to leaves are odd.
inline void* marked(Leaf* leaf) { return reinterpret_cast<std::byte*>(leaf) + 1; }
UNDERSTORY_INLINE const Leaf* leafOf(const void* child) {
  const auto address = reinterpret_cast<std::uintptr_t>(child);
  return (address & 1U) != 0 ? reinterpret_cast<const Leaf*>(address - 1) : nullptr;
}

// Bit n: lane n holds.
UNDERSTORY_INLINE unsigned bitsOf(const LineMasks& lanes) {
  using Bytes = signed char __attribute__((vector_size(16)));
  const Bytes bytes = __builtin_convertvector(lanes, Bytes);
#if defined(__SSE2__)
  __m128i packed;
  std::memcpy(&packed, &bytes, sizeof bytes);
  return static_cast<unsigned>(_mm_movemask_epi8(packed));
#else
  unsigned bits = 0;
  for (unsigned lane = 0; lane < sizeof bytes; ++lane) bits |= (bytes[lane] != 0 ? 1U : 0U) << lane;
  return bits;
#endif
}

UNDERSTORY_INLINE unsigned bitsOf(const Masks& lanes) {
#if defined(__SSE2__)
  struct Halves {
    __m128 low;
    __m128 high;
  } halves;
  std::memcpy(&halves, &lanes, sizeof lanes);
  return static_cast<unsigned>(_mm_movemask_ps(halves.low) | _mm_movemask_ps(halves.high) << 4);
#else
  unsigned bits = 0;
  for (unsigned lane = 0; lane < width; ++lane) bits |= (lanes[lane] != 0 ? 1U : 0U) << lane;
  return bits;
#endif
}

// Why: most children are not in the cache, and those that wait are read while the nearest is met.
UNDERSTORY_INLINE void prefetch(const void* child) {
  constexpr std::size_t lineBytes = 64;
  const Leaf* leaf = leafOf(child);
  const auto* from = static_cast<const std::byte*>(leaf != nullptr ? leaf : child);
  const std::size_t size = leaf != nullptr ? sizeof(Leaf) : sizeof(Node);
  for (std::size_t at = 0; at < size; at += lineBytes) __builtin_prefetch(from + at);
}

// Why no greater: of a direction in a plane of sides, 0 by infinity would be no number.
UNDERSTORY_INLINE float inverseOf(float part) {
  constexpr float minPart = 1e-18F;
  if (std::abs(part) >= minPart) return 1.0F / part;
  return part < 0.0F ? -1.0F / minPart : 1.0F / minPart;
}

// Why a little nearer and farther: the rounding of both must not lose a box that is grazed.
inline constexpr float nearer = 0.999999F;
inline constexpr float farther = 1.000001F;

}  // namespace understory::ellipsoids
