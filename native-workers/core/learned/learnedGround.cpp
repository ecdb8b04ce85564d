// Heights first, then what stands above them.
#include "core/learned/learnedGround.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/learned/learnedHeights.h"
#include "core/learned/learnedObstacles.h"

namespace understory {

LearnedGround learnedGround(std::span<const PlacedLearned> placed,
                            const std::function<double(double xM, double yM)>& groundM,
                            const Watch& watch) {
  std::vector<PlacedLearned> still;
  std::ranges::copy_if(placed, std::back_inserter(still),
                       [](const PlacedLearned& one) { return !one.moves; });
  LearnedGround ground;
  findHeights(still, groundM, watch, ground);
  const auto aboveGroundM = [&](Vec3d atM) {
    const double learnedM = heightBetween(ground, atM.x, atM.y);
    if (!std::isnan(learnedM)) return atM.z - learnedM;
    return atM.z - (groundM ? groundM(atM.x, atM.y) : 0.0);
  };
  addObstacles(placed, aboveGroundM, watch, ground);
  addCover(still, aboveGroundM, ground);
  return ground;
}

}  // namespace understory
