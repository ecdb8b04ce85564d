// Counts and sums by element, added to by all threads. Sums are integers in units of 2⁻²⁰, so that the order of adding changes
// nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace understory {

inline constexpr double onePerUnit = 0x1.0p-20;

using ElementCounts = std::vector<std::atomic<std::uint32_t>>;
using ElementSums = std::vector<std::atomic<std::uint64_t>>;

inline std::uint64_t unitsOf(double share) {
  return static_cast<std::uint64_t>(share / onePerUnit + 0.5);
}

inline void addUnits(std::atomic<std::uint64_t>& sum, std::uint64_t units) {
  if (units > 0) sum.fetch_add(units, std::memory_order_relaxed);
}

inline void addOne(std::atomic<std::uint32_t>& count) {
  count.fetch_add(1, std::memory_order_relaxed);
}

inline void clearUnits(ElementSums& sums) {
  for (auto& sum : sums) sum = 0;
}

}  // namespace understory
