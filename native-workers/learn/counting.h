// Permeability: how many beams end in an element, how many pass it (Browning 2012, 3.3.3; PHYSICS.md, 2.5).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "contract/contract.h"
#include "learn/ellipsoids.h"

namespace understory {

struct BeamCounts {
  std::vector<std::uint32_t> hits;    // by element
  std::vector<std::uint32_t> misses;  // by element

  // Share of the beams that pass; 0 for an element that no beam has observed.
  double permeability(std::size_t element) const {
    const double observed =
        static_cast<double>(hits[element]) + static_cast<double>(misses[element]);
    return observed > 0.0 ? static_cast<double>(misses[element]) / observed : 0.0;
  }
};

// Rule `ellipsoid`, the papers': a beam is a hit of every element whose ellipsoid holds its end. Rule `owner`: it is a hit
// of the element whose points its end is one of, and has passed those that it pierces before.
// Counts all beams. A beam that ends before an element counts neither way; one that is known to have been fired without
// a return is a miss of all that it pierces up to `maxRangeM`. `ownerOf`: the element of each beam's end, noGroup where
// it has none; then it has passed what it pierces before its end. Flat elements follow the rule `ellipsoid` always.
BeamCounts countBeams(const Beams& beams, const Ellipsoids& ellipsoids,
                      const std::vector<std::uint32_t>& ownerOf, CountingRule rule,
                      double maxRangeM, const Watch& watch);

}  // namespace understory
