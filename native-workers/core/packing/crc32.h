// CRC-32 as in zip, gzip and MCAP (ISO 3309, polynomial 0x04c11db7 reflected).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace understory {

// CRC of what came before, continued over `bytes`; of nothing it is 0.
std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before = 0);

// CRC of A followed by B, from the CRC of each and the length of B.
std::uint32_t crc32Joined(std::uint32_t ofA, std::uint32_t ofB, std::uint64_t bytesOfB);

}  // namespace understory
