// xxHash behind a small interface.
#include "rows/columnHash.h"

#include <xxhash.h>

#include <array>

#include "core/hex.h"

namespace understory {
namespace {

ColumnHash::Digest canonical(XXH128_hash_t hash) {
  XXH128_canonical_t bytes;
  XXH128_canonicalFromHash(&bytes, hash);
  return std::to_array(bytes.digest);
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

ColumnHash::Digest ColumnHash::digest() const {
  return canonical(XXH3_128bits_digest(state_->xxh3.get()));
}

std::string hashOfDigests(const std::vector<ColumnHash::Digest>& digests) {
  const ColumnHash::Digest combined =
      canonical(XXH3_128bits(digests.data(), digests.size() * sizeof(ColumnHash::Digest)));
  return hexOf(std::as_bytes(std::span(combined)));
}

std::string combinedHash(const std::vector<ColumnHash>& columns) {
  std::vector<ColumnHash::Digest> digests;
  for (const ColumnHash& column : columns) digests.push_back(column.digest());
  return hashOfDigests(digests);
}

}  // namespace understory
