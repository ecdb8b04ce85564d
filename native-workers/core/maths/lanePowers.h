// 1 - (1 - u)^p, lane by lane: by the logarithm and the exponential of a vector, which the C library has for single numbers
// alone. The same bits with any instruction set, and within 1e-6 of the value, relative to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/maths/lanes.h"

namespace understory {

// Eight lanes. Why not Lanes: GCC compares vectors of 16 floats lane by lane in functions that are compiled for several
// instruction sets.
inline constexpr std::size_t lanesOfEight = 8;
using Floats8 = float __attribute__((vector_size(lanesOfEight * sizeof(float))));
using Ints8 = std::int32_t __attribute__((vector_size(lanesOfEight * sizeof(float))));

// ln(1 - u) for 0 <= u <= 1 - 2^-24: 2·artanh(f/(2 + f)) and a whole number of ln 2, 1 + f from √½ to √2.
UNDERSTORY_INLINE void logOfRest(const Floats8& u, Floats8& result) {
  const Floats8 rest = 1.0F - u;
  Ints8 bits;
  std::memcpy(&bits, &rest, sizeof bits);
  const Ints8 exponent = (bits - 0x3F3504F3) >> 23;
  const Ints8 mantissa = bits - (exponent << 23);
  Floats8 f;
  std::memcpy(&f, &mantissa, sizeof f);
  // As precise as u where that is small.
  f = exponent == 0 ? -u : f - 1.0F;
  const Floats8 s = f / (2.0F + f);
  const Floats8 z = s * s;
  const Floats8 series =
      1.0F + z * (1.0F / 3.0F + z * (1.0F / 5.0F + z * (1.0F / 7.0F + z * (1.0F / 9.0F))));
  result = 2.0F * s * series + 0.69314718F * __builtin_convertvector(exponent, Floats8);
}

// 1 - e^y for -80 <= y <= 0: e^y as a power of two and e^r, |r| <= ½·ln 2.
UNDERSTORY_INLINE void restOfExp(const Floats8& y, Floats8& result) {
  const Ints8 power = __builtin_convertvector(y * 1.44269504F - 0.5F, Ints8);  // towards 0
  const Floats8 whole = __builtin_convertvector(power, Floats8);
  // ln 2 in two parts, the first of which times `whole` is exact.
  const Floats8 r = (y - whole * 0.693359375F) + whole * 2.12194440e-4F;
  const Floats8 rise =
      r * (1.0F + r * (1.0F / 2.0F +
                       r * (1.0F / 6.0F + r * (1.0F / 24.0F +
                                               r * (1.0F / 120.0F +
                                                    r * (1.0F / 720.0F + r * (1.0F / 5040.0F)))))));
  const Ints8 bits = (power + 127) << 23;
  Floats8 scale;
  std::memcpy(&scale, &bits, sizeof scale);
  result = (1.0F - scale) - scale * rise;
}

// 0 <= u <= 1 - 2^-24, 0 < p <= 1.
UNDERSTORY_INLINE void restOfPower(const Floats8& u, const Floats8& p, Floats8& result) {
  Floats8 log;
  logOfRest(u, log);
  restOfExp(log * p, result);
}

}  // namespace understory
