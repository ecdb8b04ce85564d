// A fingerprint of the rays of a scan: xxh3-128 over the digests of its batches, in order, each xxh3-128
// over the directions of the batch's rays, three floats each, in order of pulse and ray.
#pragma once

#include <span>

#include "core/maths/maths.h"
#include "rows/columnHash.h"

namespace understory {

// Digest of one batch; hashOfDigests() makes the fingerprint of all.
inline ColumnHash::Digest directionDigest(std::span<const Vec3f> directions) {
  static_assert(sizeof(Vec3f) == 12);
  ColumnHash hash;
  hash.update(std::as_bytes(directions));
  return hash.digest();
}

}  // namespace understory
