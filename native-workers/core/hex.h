// Bytes as text.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace understory {

// Two lowercase hexadecimal digits a byte, in order.
inline std::string hexOf(std::span<const std::byte> bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::byte byte : bytes) {
    text += digits[std::to_integer<unsigned>(byte) >> 4U];
    text += digits[std::to_integer<unsigned>(byte) & 15U];
  }
  return text;
}

}  // namespace understory
