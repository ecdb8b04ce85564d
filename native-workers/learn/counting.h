// Permeability: how many beams end in an element, how many pass it (Browning 2012, 3.3.3; PHYSICS.md, 2.5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "contract/contract.h"
#include "learn/beamReach.h"
#include "learn/ellipsoids.h"

namespace understory {

inline constexpr std::size_t maxCrossingsOfAllLines = 150'000'000;

struct BeamCounts {
  std::vector<double> hits;    // by element; a return that may be of several is divided among them
  std::vector<double> misses;  // by element

  // Share of the beams that pass; 0 for an element that no beam has observed.
  double permeability(std::size_t element) const {
    const double observed = hits[element] + misses[element];
    return observed > 0.0 ? misses[element] / observed : 0.0;
  }
  // Those of the elements from one to before another.
  BeamCounts part(std::size_t from, std::size_t to) const {
    const auto cut = [&](const std::vector<double>& all) {
      return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(from),
                                 all.begin() + static_cast<std::ptrdiff_t>(to));
    };
    return {cut(hits), cut(misses)};
  }
  // As files have them.
  std::uint32_t wholeHits(std::size_t element) const {
    return static_cast<std::uint32_t>(hits[element] + 0.5);
  }
  std::uint32_t wholeMisses(std::size_t element) const {
    return static_cast<std::uint32_t>(misses[element] + 0.5);
  }
};

// How beams are counted.
struct Counting {
  // Why implicit: most callers have a rule alone.
  Counting(CountingRule countingRule, double surfaceNoiseM = 0.0)
      : rule(countingRule), noiseM(surfaceNoiseM) {}

  CountingRule rule;
  double noiseM;  // range noise of surfaces σ0, for the rule `owner`
  // Up to so many crossings of lines the rule `owner` stores all; where there are more, one line represents several beams.
  std::size_t maxCrossings = maxCrossingsOfAllLines;
};

// Rule `ellipsoid`, the papers': a beam is a hit of every element whose ellipsoid holds its end, and a miss of those that
// it pierces before. Rule `owner`: balancedCounts.h. Counts all beams. A beam that ends before an element counts neither
// way; one that is known to have been fired without a return has passed all that it pierces up to its reach.
// `ownerOf`: the element of each beam's end, noGroup where it has none.
BeamCounts countBeams(const Beams& beams, const Ellipsoids& ellipsoids,
                      const std::vector<std::uint32_t>& ownerOf, const Counting& counting,
                      const BeamReach& reach, const Watch& watch);

}  // namespace understory
