// Functions over 16 lanes of fixed count that are compiled for several instruction sets; the processor chooses. Every
// copy rounds each operation as IEEE 754 says and fuses none: all give the same bits. UNDERSTORY_LANES_ARCH leaves one
// copy, to test it on a processor that would choose another.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#if defined(UNDERSTORY_LANES_ARCH)
#define UNDERSTORY_LANES __attribute__((target("arch=" UNDERSTORY_LANES_ARCH)))
// Why not with a sanitizer: it instruments the functions that choose a copy, which run before it is ready.
#elif defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define UNDERSTORY_LANES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define UNDERSTORY_LANES
#endif

// Marks functions that such functions call. Why by reference and always inline: how a vector is handed over differs
// between instruction sets.
#define UNDERSTORY_INLINE [[gnu::always_inline]] inline

namespace understory {

// A vector of 16 lanes, whatever registers there are.
using Lanes = float __attribute__((vector_size(16 * sizeof(float))));

UNDERSTORY_INLINE void load(Lanes& lanes, const float* from) {
  std::memcpy(&lanes, from, sizeof(Lanes));
}

UNDERSTORY_INLINE void store(float* to, const Lanes& lanes) {
  std::memcpy(to, &lanes, sizeof(Lanes));
}

template <typename Vector, std::size_t count>
UNDERSTORY_INLINE void load(Vector& lanes, const std::array<float, count>& from) {
  static_assert(sizeof(Vector) == sizeof from);
  std::memcpy(&lanes, from.data(), sizeof from);
}

template <typename Vector, std::size_t count>
UNDERSTORY_INLINE void store(std::array<float, count>& to, const Vector& lanes) {
  static_assert(sizeof(Vector) == sizeof to);
  std::memcpy(to.data(), &lanes, sizeof to);
}

UNDERSTORY_INLINE void storeAll(float* to, float value) { store(to, value - Lanes{}); }

}  // namespace understory
