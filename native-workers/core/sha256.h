// SHA-256 (FIPS 180-4) of bytes that arrive in pieces.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace understory {

// Whether this processor has the SHA extensions.
bool hasShaExtensions();

class Sha256 {
 public:
  explicit Sha256(bool usesExtensions = hasShaExtensions()) : usesExtensions_(usesExtensions) {}
  void update(std::span<const std::byte> bytes);
  // The hash of all bytes so far; nothing may follow.
  std::array<std::byte, 32> digest();

 private:
  void addBlock(const std::byte* block);

  bool usesExtensions_;
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::byte, 64> block_{};
  std::size_t filled_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace understory
