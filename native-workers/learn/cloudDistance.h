// Distances between clouds (Browning 2012, eq. 15 and 16): eq. 15 prints a sum where the tables hold means.
#pragma once

#include <span>
#include <vector>

#include "core/log/beams.h"
#include "core/watch.h"

namespace understory {

// Distance of each point to the nearest of `others`, NaN where there are none.
std::vector<float> nearestDistancesM(const std::vector<Vec3f>& points,
                                     const std::vector<Vec3f>& others, const Watch& watch);

// D_pp: the larger of the two directed means of the distances to the nearest point. NaN where one cloud is empty.
double cloudDistanceM(const std::vector<Vec3f>& one, const std::vector<Vec3f>& other,
                      const Watch& watch);

// Beams of one sweep, which follow each other.
struct SweepRange {
  std::size_t from = 0;
  std::size_t to = 0;
};
std::vector<SweepRange> sweepsOf(const Beams& beams);

// Ends of the beams [from, to), with these ranges; those without one have none.
std::vector<Vec3f> endsOf(const Beams& beams, std::span<const float> rangesM, std::size_t from,
                          std::size_t to);

// Mean of D_pp over sweeps of two results along the same beams; NaN: no sweep has returns in both.
double sweepDistanceM(const Beams& beams, std::span<const float> oneM,
                      std::span<const float> otherM, const Watch& watch);

}  // namespace understory
