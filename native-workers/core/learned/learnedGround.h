// Surfaces of learned models for a vehicle (PHYSICS.md, 2.6): the ground under its wheels, and its obstacles.
// Computed from the triangles in a fixed order: a pure function of its arguments.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/learned/learnedModel.h"
#include "core/maths/maths.h"
#include "core/watch.h"

namespace understory {

// A learned model as an instance places it. `verticesM` and `triangles`: of its surface, which may lie elsewhere than in
// the model.
struct PlacedLearned {
  std::uint32_t instanceId = 0;
  Placement worldFromModel;
  std::span<const Vec3f> verticesM;
  std::span<const std::array<std::uint32_t, 3>> triangles;
  const LearnedModel* model = nullptr;
  bool moves = false;  // it may be an obstacle then, and neither bears wheels nor covers the ground
};

struct LearnedGround {
  // A grid of heights, row by row from the south; NaN where there is no surface. Nodes lie `stepM` apart from `originM` on.
  std::array<double, 2> originM{};
  double stepM = 0.25;
  std::size_t columns = 0;
  std::size_t rows = 0;
  std::vector<float> heightsM;

  // Obstacles of a vehicle: convex outlines, counter-clockwise, none larger than a cell of the grid.
  struct Outline {
    std::uint32_t instanceId = 0;
    std::uint32_t body = 0;  // outlines of one body touch each other
    std::vector<Vec2f> cornersM;
  };
  std::vector<Outline> obstacles;
  // Centres of cells with elements at the height of a vehicle, which it passes.
  std::vector<Vec2f> coverM;
};

// Triangles with a permeability of at most a half count. Those within 45 degrees of level bear wheels, unless they lie
// more than 0.3 m above what 45 degrees allow from lower ones around, or are less than 25 m2 above the scene's own
// ground with none around: tops of walls. Gaps of up to 2 m between them are filled. All that lies from 0.1 to 1.5 m
// above the ground (core/scene/footprint.h) stops a vehicle.
// `groundM`: height of the scene's own ground, for places without learned ground. Throws 'cancelled'.
LearnedGround learnedGround(std::span<const PlacedLearned> placed,
                            const std::function<double(double xM, double yM)>& groundM,
                            const Watch& watch);

}  // namespace understory
