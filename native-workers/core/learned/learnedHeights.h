// The ground that learned surfaces are: heights on the nodes of a grid.
#pragma once

#include <functional>
#include <span>

#include "core/learned/learnedGround.h"

namespace understory {

// Lays the grid of `ground` over all triangles that count and fills its heights; without such triangles it stays empty.
// `groundM` as for learnedGround(). Throws 'cancelled'.
void findHeights(std::span<const PlacedLearned> placed,
                 const std::function<double(double xM, double yM)>& groundM, const Watch& watch,
                 LearnedGround& ground);

// Between the nodes; NaN where one of them is unknown, and outside the grid.
double heightBetween(const LearnedGround& ground, double xM, double yM);

}  // namespace understory
