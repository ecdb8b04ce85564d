// xxh3-128 of a column's bytes as they stream by, and of several columns together.
#pragma once

#include <cstddef>
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
  std::string digest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The hash of the columns' digests in their order: 32 hex digits.
std::string combinedHash(const std::vector<ColumnHash>& columns);

}  // namespace understory
