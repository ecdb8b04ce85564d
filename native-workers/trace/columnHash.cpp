// xxHash behind a small face.
#include "trace/columnHash.h"

#include <xxhash.h>

#include <array>

namespace understory {
namespace {

std::string canonical(XXH128_hash_t hash) {
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, hash);
  return {reinterpret_cast<const char*>(bytes.digest), sizeof(bytes.digest)};
}

}  // namespace

struct ColumnHash::State {
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> xxh3{XXH3_createState()};
};

ColumnHash::ColumnHash() : state_(std::make_unique<State>()) {
  XXH3_128bits_reset(state_->xxh3.get());
}
ColumnHash::~ColumnHash() = default;
ColumnHash::ColumnHash(ColumnHash&&) noexcept = default;
ColumnHash& ColumnHash::operator=(ColumnHash&&) noexcept = default;

void ColumnHash::update(std::span<const std::byte> bytes) {
  XXH3_128bits_update(state_->xxh3.get(), bytes.data(), bytes.size());
}

std::string ColumnHash::digest() const {
  return canonical(XXH3_128bits_digest(state_->xxh3.get()));
}

std::string combinedHash(const std::vector<ColumnHash>& columns) {
  std::string digests;
  for (const ColumnHash& column : columns) digests += column.digest();
  const std::string combined = canonical(XXH3_128bits(digests.data(), digests.size()));
  std::string hex;
  for (const char byte : combined) {
    constexpr std::array<char, 17> digits{"0123456789abcdef"};
    hex += digits[static_cast<unsigned char>(byte) >> 4U];
    hex += digits[static_cast<unsigned char>(byte) & 15U];
  }
  return hex;
}

}  // namespace understory
