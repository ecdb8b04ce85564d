// Approximations for values from 1 to 4: every mantissa of a reciprocal, and of a root.
#include "surfaces/embree/reciprocals.h"

#define XXH_INLINE_ALL
#include <immintrin.h>
#include <xxhash.h>

#include <cstddef>
#include <span>
#include <vector>

#include "core/hex.h"

namespace understory {
namespace {

// Why so many: the tables of AVX-512 resolve 14 bits.
constexpr std::size_t steps = 1U << 16U;

std::vector<float> sseReciprocals(const std::vector<float>& values) {
  std::vector<float> found;
  found.reserve(2 * values.size());
  for (const float value : values) {
    const __m128 lane = _mm_set_ss(value);
    found.push_back(_mm_cvtss_f32(_mm_rcp_ss(lane)));
    found.push_back(_mm_cvtss_f32(_mm_rsqrt_ss(lane)));
  }
  return found;
}

[[gnu::target("avx512f")]] std::vector<float> avx512Reciprocals(const std::vector<float>& values) {
  std::vector<float> found;
  found.reserve(2 * values.size());
  for (const float value : values) {
    const __m128 lane = _mm_set_ss(value);
    found.push_back(_mm_cvtss_f32(_mm_rcp14_ss(lane, lane)));
    found.push_back(_mm_cvtss_f32(_mm_rsqrt14_ss(lane, lane)));
  }
  return found;
}

}  // namespace

std::string reciprocalsHash(const std::string& isa) {
  std::vector<float> values;
  values.reserve(steps);
  for (std::size_t step = 0; step < steps; ++step) {
    values.push_back(1.0F + 3.0F * static_cast<float>(step) / static_cast<float>(steps));
  }
  const std::vector<float> found =
      isa == "avx512" ? avx512Reciprocals(values) : sseReciprocals(values);
  XXH64_canonical_t hash;
  XXH64_canonicalFromHash(&hash, XXH3_64bits(found.data(), found.size() * sizeof(float)));
  return hexOf(std::as_bytes(std::span(hash.digest)));
}

}  // namespace understory
