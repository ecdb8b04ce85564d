// One block of a zstd frame (RFC 8878, 3.1.1.2) from given matches, by libzstd. Why matches are given: rows show where
// they repeat, so that no search is needed. A block refers to nothing before it: any thread can make it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace understory {

// A frame's window must hold what a block refers to: at most the block itself.
inline constexpr unsigned windowLog = 17;
inline constexpr std::size_t maxBlockBytes = 1U << windowLog;
inline constexpr std::size_t blockHeadBytes = 3;

// Literals, then a copy of what lies `offset` bytes before.
struct Match {
  std::uint32_t literals = 0;
  std::uint32_t bytes = 0;   // copied; at least 3
  std::uint32_t offset = 0;  // at least 1
};

// Appends a block that is not the last of its frame. The matches cover `content` from its start, in order; what is left
// are literals. It decodes to `content` behind any other blocks. `content` has 1 to maxBlockBytes bytes. Pure
// function of both. Throws UnderstoryError 'worker-failed' where libzstd fails.
void appendZstdBlock(std::span<const std::byte> content, std::span<const Match> matches,
                     std::vector<std::byte>& out);

}  // namespace understory
