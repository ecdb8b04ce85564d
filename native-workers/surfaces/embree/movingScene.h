// The triangles of instances that move, a source of hits beside EmbreeScene: a small tree for each window of time, over
// the same models. What is stationary pays nothing for them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/scene/motions.h"
#include "core/watch.h"
#include "surfaces/embree/embreeScene.h"
#include "surfaces/embree/topLevel.h"
#include "surfaces/hits.h"

namespace understory {

class MovingScene {
 public:
  static constexpr bool isStill = false;

  // All outlive it. Throws as TopLevel.
  MovingScene(const EmbreeScene& models, const Scene& scene, const Motions& motions,
              const Watch& watch);

  bool isEmpty() const { return windows_.empty(); }
  template <std::size_t Width>
  void nearest(const RayLanes& rays, std::size_t active, PacketHits<Width>& hits) const {
    const std::int64_t* const timesNs = rays.timeNs;
    const Moment first = momentOf(timesNs == nullptr ? 0 : timesNs[0]);
    alignas(4 * Width) std::array<float, Width> times;
    times.fill(first.time);
    bool isOneWindow = true;
    for (std::size_t lane = 1; timesNs != nullptr && lane < active; ++lane) {
      const Moment moment = momentOf(timesNs[lane]);
      times[lane] = moment.time;
      isOneWindow &= moment.window == first.window;
    }
    if (isOneWindow) {
      windows_[first.window].nearest(rays, active, hits, times.data());
    } else {
      nearestOneByOne(rays, active, hits);
    }
    for (std::size_t lane = 0; lane < active; ++lane) {
      if (hits.instance[lane] == noInstance) continue;
      hits.set(lane, inWorld(hits.at(lane), timesNs == nullptr ? 0 : timesNs[lane]));
    }
  }
  FacetHit nearest(const PathRay& ray, float fromM, float limitM) const {
    return inWorld(nearestInModel(ray, fromM, limitM), ray.timeNs);
  }
  // Whether anything lies between.
  bool isBlocked(const PathRay& ray, float fromM, float limitM) const;

 private:
  struct Moment {
    std::size_t window;
    float time;  // 0 to 1 within it
  };

  // Before the first window and after the last: at their ends.
  Moment momentOf(std::int64_t timeNs) const;
  FacetHit nearestInModel(const PathRay& ray, float fromM, float limitM) const;
  FacetHit inWorld(const FacetHit& hit, std::int64_t timeNs) const;
  void placeInstances(std::size_t window, TopLevel& top) const;

  template <std::size_t Width>
  void nearestOneByOne(const RayLanes& rays, std::size_t active, PacketHits<Width>& hits) const {
    for (std::size_t lane = 0; lane < active; ++lane) {
      PathRay ray{{rays.originX[lane], rays.originY[lane], rays.originZ[lane]},
                  {rays.directionX[lane], rays.directionY[lane], rays.directionZ[lane]},
                  rays.timeNs[lane]};
      if (rays.draws != nullptr) {
        ray.pulse = rays.pulse[lane];
        ray.draws = rays.draws;
      }
      FacetHit hit = nearestInModel(ray, minHitM(ray.originM), hits.rangeM[lane]);
      if (!hit.isHit) hit.instance = noInstance;
      hits.set(lane, hit);
    }
  }

  const EmbreeScene& models_;
  const Scene& scene_;
  const Motions& motions_;
  std::vector<std::uint32_t> moving_;  // indices of instances
  std::vector<TopLevel> windows_;      // none: nothing moves
};

}  // namespace understory
