// The Top Down model's clusters: recursive k-means (Browning 2012, 3.3.3; Kalaiah and Varshney 2005).
#pragma once

#include <cstdint>
#include <vector>

#include "core/watch.h"
#include "learn/voxelGroups.h"

namespace understory {

struct TopDownOptions {
  std::uint32_t means = 10;        // K
  std::uint32_t stopPoints = 120;  // N_p: clusters with fewer points are not split
  std::uint32_t minPoints =
      5;  // a class with fewer is dropped as an empty one is: they give no Gaussian
  std::uint32_t restarts = 3;     // the start with the least variation within clusters is used
  std::uint32_t iterations = 30;  // at most, for a start
  std::uint64_t seed = 0;
};

// A return is a stray where its cell and the 26 around it have fewer than `strayPoints` returns of the log. Why: a few
// false alarms, birds or drops of rain would be an element of the size of the site, which ends beams everywhere.
inline constexpr double strayCellM = 1.0;
inline constexpr std::size_t strayPoints = 5;

// Clusters of the returns among `chosen` (all where it is empty) that are no strays: every one in exactly one, unless
// there are fewer than `minPoints` in all. Means of clusters above 32,768 points are found on a sample of that size;
// then all points are assigned. A pure function of its arguments.
PointGroups groupTopDown(const Beams& beams, const std::vector<std::uint32_t>& chosen,
                         const TopDownOptions& options, const Watch& watch);

}  // namespace understory
