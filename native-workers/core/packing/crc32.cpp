// libdeflate, which uses carry-less multiplication where the processor has it; combining CRCs is ours.
#include "core/packing/crc32.h"

#include <libdeflate.h>

namespace understory {
namespace {

constexpr std::uint32_t polynomial = 0xedb88320U;  // reflected: the highest bit is x^0

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
  // Without a buffer libdeflate returns the CRC of nothing.
  return bytes.empty() ? before : libdeflate_crc32(before, bytes.data(), bytes.size());
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
