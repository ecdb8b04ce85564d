// xxh3-128 of a column's bytes as they stream by, and of several columns together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace understory {

class ColumnHash {
 public:
  ColumnHash();
  ~ColumnHash();
  ColumnHash(ColumnHash&&) noexcept;
  ColumnHash& operator=(ColumnHash&&) noexcept;

  void update(std::span<const std::byte> bytes);
  // Canonical (big-endian) digest of everything so far.
  using Digest = std::array<std::uint8_t, 16>;
  Digest digest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The hash of digests in their order: 32 hex digits.
std::string hashOfDigests(const std::vector<ColumnHash::Digest>& digests);

// The hash of the columns' digests in their order: 32 hex digits.
std::string combinedHash(const std::vector<ColumnHash>& columns);

}  // namespace understory
