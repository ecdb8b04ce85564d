// Maxima of a sampled signal that are apart: between two of them the signal falls to half of the smaller one or below
// (PHYSICS.md, 1.3).
#pragma once

#include <cstddef>
#include <span>

namespace understory {

// Calls visit(highest, valley) for each maximum in order: its highest sample, and the lowest one before the next
// maximum, samples.size() for the last. A signal of zeros has none.
template <typename Value, typename Visit>
void forEachMaximum(std::span<const Value> samples, Visit&& visit) {
  std::size_t highest = 0;  // of the maximum in progress
  std::size_t lowest = 0;   // behind it
  bool isApart = false;     // from what follows
  for (std::size_t at = 1; at < samples.size(); ++at) {
    const Value value = samples[at];
    if (isApart && samples[lowest] <= value / 2 && value > 0) {
      visit(highest, lowest);
      highest = lowest = at;
      isApart = false;
    } else if (!isApart && value > samples[highest]) {
      highest = lowest = at;
    } else if (value < samples[lowest]) {
      lowest = at;
      isApart = value <= samples[highest] / 2;
    }
  }
  if (!samples.empty() && samples[highest] > 0) visit(highest, samples.size());
}

}  // namespace understory
