// One zstd frame (RFC 8878) around a record whose head is known last: the body is compressed as it
// comes, the head and the tail precede and follow it as raw blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace understory {

// Most bytes of a head or a tail: each is one raw block.
inline constexpr std::size_t maxRawBytes = 65535;

class ZstdRecord {
 public:
  explicit ZstdRecord(int level);
  ~ZstdRecord();
  ZstdRecord(ZstdRecord&&) noexcept;
  ZstdRecord& operator=(ZstdRecord&&) noexcept;

  // Compresses more of the body. The bytes of the frame depend on how the body is cut into calls.
  // Throws UnderstoryError 'worker-failed' where zstd fails.
  void add(std::span<const std::byte> body);

  // The whole frame: head, body, tail. Nothing can be added after it.
  std::vector<std::byte> finish(std::span<const std::byte> head, std::span<const std::byte> tail);

 private:
  void compress(std::span<const std::byte> body, bool isEnd);

  struct Context;
  std::unique_ptr<Context> context_;
  std::vector<std::byte> compressed_;  // room for the head, then the body's blocks
  std::size_t filled_ = 0;
  std::uint64_t bodyBytes_ = 0;
};

}  // namespace understory
