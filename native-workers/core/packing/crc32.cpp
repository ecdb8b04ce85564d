// Byte by byte with a table, or 64 bytes at a time by carry-less multiplication where the processor has
// it: V. Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ" (Intel, 2009).
#include "core/packing/crc32.h"

#include <array>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace understory {
namespace {

constexpr std::uint32_t polynomial = 0xedb88320U;  // reflected: the highest bit is x^0

constexpr std::array<std::uint32_t, 256> byteTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t value = 0; value < 256; ++value) {
    std::uint32_t rest = value;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1U) ^ ((rest & 1U) != 0 ? polynomial : 0U);
    table[value] = rest;
  }
  return table;
}();

// `state` is the inverted CRC.
std::uint32_t byByte(std::span<const std::byte> bytes, std::uint32_t state) {
  for (const std::byte byte : bytes) {
    state = (state >> 8U) ^ byteTable[(state ^ std::to_integer<std::uint32_t>(byte)) & 255U];
  }
  return state;
}

#if defined(__x86_64__)

// Whole multiples of 16 bytes, at least 64. The constants are powers of x modulo the polynomial.
__attribute__((target("pclmul,sse4.1"))) std::uint32_t byFolding(std::span<const std::byte> bytes,
                                                                 std::uint32_t state) {
  const __m128i by512 = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4);
  const __m128i by128 = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0);
  const __m128i by64 = _mm_set_epi64x(0, 0x0163cd6124);
  const __m128i barrett = _mm_set_epi64x(0x01f7011641, 0x01db710641);
  const __m128i lowWords = _mm_setr_epi32(~0, 0, ~0, 0);
  const auto* next = reinterpret_cast<const __m128i*>(bytes.data());
  const __m128i* const end = next + bytes.size() / 16;

  __m128i a = _mm_xor_si128(_mm_loadu_si128(next), _mm_cvtsi32_si128(static_cast<int>(state)));
  __m128i b = _mm_loadu_si128(next + 1);
  __m128i c = _mm_loadu_si128(next + 2);
  __m128i d = _mm_loadu_si128(next + 3);
  for (next += 4; end - next >= 4; next += 4) {
    a = _mm_xor_si128(
        _mm_xor_si128(_mm_clmulepi64_si128(a, by512, 0x00), _mm_clmulepi64_si128(a, by512, 0x11)),
        _mm_loadu_si128(next));
    b = _mm_xor_si128(
        _mm_xor_si128(_mm_clmulepi64_si128(b, by512, 0x00), _mm_clmulepi64_si128(b, by512, 0x11)),
        _mm_loadu_si128(next + 1));
    c = _mm_xor_si128(
        _mm_xor_si128(_mm_clmulepi64_si128(c, by512, 0x00), _mm_clmulepi64_si128(c, by512, 0x11)),
        _mm_loadu_si128(next + 2));
    d = _mm_xor_si128(
        _mm_xor_si128(_mm_clmulepi64_si128(d, by512, 0x00), _mm_clmulepi64_si128(d, by512, 0x11)),
        _mm_loadu_si128(next + 3));
  }
  for (const __m128i lane : {b, c, d}) {
    a = _mm_xor_si128(
        _mm_xor_si128(_mm_clmulepi64_si128(a, by128, 0x00), _mm_clmulepi64_si128(a, by128, 0x11)),
        lane);
  }
  for (; next < end; ++next) {
    a = _mm_xor_si128(
        _mm_xor_si128(_mm_clmulepi64_si128(a, by128, 0x00), _mm_clmulepi64_si128(a, by128, 0x11)),
        _mm_loadu_si128(next));
  }
  a = _mm_xor_si128(_mm_srli_si128(a, 8), _mm_clmulepi64_si128(a, by128, 0x10));
  a = _mm_xor_si128(_mm_srli_si128(a, 4),
                    _mm_clmulepi64_si128(_mm_and_si128(a, lowWords), by64, 0x00));
  __m128i quotient = _mm_clmulepi64_si128(_mm_and_si128(a, lowWords), barrett, 0x10);
  quotient = _mm_clmulepi64_si128(_mm_and_si128(quotient, lowWords), barrett, 0x00);
  return static_cast<std::uint32_t>(_mm_extract_epi32(_mm_xor_si128(a, quotient), 1));
}

bool canFold() {
  static const bool can = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
  return can;
}

#endif

// Product of two polynomials of degree below 32, modulo the polynomial.
std::uint32_t product(std::uint32_t a, std::uint32_t b) {
  std::uint32_t sum = 0;
  for (std::uint32_t bit = 1U << 31U; bit != 0; bit >>= 1U) {
    if ((a & bit) != 0) sum ^= b;
    b = (b >> 1U) ^ ((b & 1U) != 0 ? polynomial : 0U);
  }
  return sum;
}

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) {
  std::uint32_t state = ~before;
#if defined(__x86_64__)
  if (bytes.size() >= 64 && canFold()) {
    const std::size_t folded = bytes.size() / 16 * 16;
    state = byFolding(bytes.first(folded), state);
    bytes = bytes.subspan(folded);
  }
#endif
  return ~byByte(bytes, state);
}

std::uint32_t crc32Joined(std::uint32_t ofA, std::uint32_t ofB, std::uint64_t bytesOfB) {
  // Appending a byte multiplies by x^8; so B moves A's CRC by x^(8 * bytes), squared bit by bit.
  std::uint32_t power = 1U << 23U;   // x^8
  std::uint32_t factor = 1U << 31U;  // 1
  for (; bytesOfB != 0; bytesOfB >>= 1U) {
    if ((bytesOfB & 1U) != 0) factor = product(power, factor);
    power = product(power, power);
  }
  return product(factor, ofA) ^ ofB;
}

}  // namespace understory
