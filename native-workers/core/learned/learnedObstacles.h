// The parts of learned models at the height of a vehicle: what stops it, and what it passes.
#pragma once

#include <functional>
#include <span>

#include "core/learned/learnedGround.h"

namespace understory {

// Height of a place above the ground.
using AboveGround = std::function<double(Vec3d atM)>;

// Adds the outlines of what triangles stop, by cell of the grid of `ground`. Throws 'cancelled'.
void addObstacles(std::span<const PlacedLearned> placed, const AboveGround& aboveGroundM,
                  const Watch& watch, LearnedGround& ground);

// Adds the cells with elements at the height of a vehicle.
void addCover(std::span<const PlacedLearned> placed, const AboveGround& aboveGroundM,
              LearnedGround& ground);

}  // namespace understory
