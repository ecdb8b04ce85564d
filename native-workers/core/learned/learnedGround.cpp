// Heights first, then what stands above them.
#include "core/learned/learnedGround.h"

#include <cmath>

#include "core/learned/learnedHeights.h"
#include "core/learned/learnedObstacles.h"

namespace understory {

LearnedGround learnedGround(std::span<const PlacedLearned> placed,
                            const std::function<double(double xM, double yM)>& groundM,
                            const Watch& watch) {
  LearnedGround ground;
  findHeights(placed, groundM, watch, ground);
  const auto aboveGroundM = [&](Vec3d atM) {
    const double learnedM = heightBetween(ground, atM.x, atM.y);
    if (!std::isnan(learnedM)) return atM.z - learnedM;
    return atM.z - (groundM ? groundM(atM.x, atM.y) : 0.0);
  };
  if (!ground.heightsM.empty()) addObstacles(placed, aboveGroundM, watch, ground);
  addCover(placed, aboveGroundM, ground);
  return ground;
}

}  // namespace understory
