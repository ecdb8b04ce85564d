// The triangles of instances that move, a source of hits beside EmbreeScene: for each window of time a small tree over
// the boxes that hold each instance during it. Rays that enter a box are turned into the frame that the instance has at
// their own time, and traced to its model. What is stationary pays nothing for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/scene/motions.h"
#include "core/watch.h"
#include "surfaces/embree/embreeScene.h"
#include "surfaces/embree/userScene.h"
#include "surfaces/hits.h"

namespace understory {

struct MovingCopy;

class MovingScene {
 public:
  static constexpr bool isStill = false;

  // All outlive it. Throws as TopLevel.
  MovingScene(const EmbreeScene& models, const Scene& scene, const Motions& motions,
              const Watch& watch);
  ~MovingScene();

  bool isEmpty() const { return windows_.empty(); }
  template <std::size_t Width>
  void nearest(const RayLanes& rays, std::size_t active, PacketHits<Width>& hits) const {
    const std::size_t window = windowOf(rays, 0);
    bool isOneWindow = true;
    for (std::size_t lane = 1; lane < active; ++lane) {
      isOneWindow &= windowOf(rays, lane) == window;
    }
    if (isOneWindow) return windows_[window].nearest(rays, active, hits);
    for (std::size_t lane = 0; lane < active; ++lane) {
      PathRay ray{{rays.originX[lane], rays.originY[lane], rays.originZ[lane]},
                  {rays.directionX[lane], rays.directionY[lane], rays.directionZ[lane]},
                  rays.timeNs[lane]};
      if (rays.draws != nullptr) {
        ray.pulse = rays.pulse[lane];
        ray.draws = rays.draws;
      }
      FacetHit hit = nearest(ray, minHitM(ray.originM), hits.rangeM[lane]);
      if (!hit.isHit) hit.instance = noInstance;
      hits.set(lane, hit);
    }
  }
  FacetHit nearest(const PathRay& ray, float fromM, float limitM) const {
    return windows_[windowAt(motions_, ray.timeNs)].nearest(ray, fromM, limitM);
  }
  // Whether anything lies between.
  bool isBlocked(const PathRay& ray, float fromM, float limitM) const {
    return !isEmpty() && nearest(ray, fromM, limitM).isHit;
  }

 private:
  std::size_t windowOf(const RayLanes& rays, std::size_t lane) const {
    return windowAt(motions_, rays.timeNs == nullptr ? 0 : rays.timeNs[lane]);
  }

  const Motions& motions_;
  std::vector<std::vector<MovingCopy>> copies_;  // by window
  std::vector<UserScene> windows_;               // none: nothing moves
};

}  // namespace understory
