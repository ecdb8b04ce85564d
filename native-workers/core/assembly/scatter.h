// Places the copies of a scatter: where in the polygon, how turned, tilted and scaled. Copy n is a pure
// function of (seed, index of the scatter, n) for uniform scatters; for Poisson-disk ones the whole
// scatter is, of (seed, index). No scatter depends on another.
#pragma once

#include <cstdint>
#include <vector>

#include "contract/sceneRecipe.h"
#include "core/scene/scene.h"
#include "core/watch.h"

namespace understory {

// Copies in order of id (firstId + n), placed on the ground, turned about z and then tilted about a
// random horizontal axis. Uniform: exactly `count`, or 'bad-input' when keepClear leaves no room.
// Poisson-disk: no two nearer than minSpacingM; fewer than `count` when the area is full (dart
// throwing stops after 40 darts for each copy asked for). Reports phase 'scatters' in copies; throws
// 'cancelled'.
std::vector<Instance> placeScatter(const ScatterRecipe& scatter, std::uint32_t index,
                                   std::uint64_t seed, const GroundHeight& groundHeight,
                                   const Watch& watch = {});

}  // namespace understory
