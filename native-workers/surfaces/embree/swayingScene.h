// The triangles of plants that sway in the wind, a source of hits beside EmbreeScene: one tree over the boxes that hold
// each wherever it sways. Pieces of rays that enter a box are traced to the model (swayPieces.h), so that every ray meets
// a plant where it is at the ray's own time, and no tree is built again.
#pragma once

#include <cstddef>
#include <vector>

#include "core/scene/scene.h"
#include "core/watch.h"
#include "surfaces/embree/embreeScene.h"
#include "surfaces/embree/topLevel.h"
#include "surfaces/hits.h"

namespace understory {

struct SwayingPlant;

class SwayingScene {
 public:
  static constexpr bool isStill = false;

  // Both outlive it. Throws as TopLevel.
  SwayingScene(const EmbreeScene& models, const Scene& scene, const Watch& watch);
  ~SwayingScene();

  bool isEmpty() const;
  template <std::size_t Width>
  void nearest(const RayLanes& rays, std::size_t active, PacketHits<Width>& hits) const {
    top_.nearest(rays, active, hits);
  }
  FacetHit nearest(const PathRay& ray, float fromM, float limitM) const {
    return top_.nearest(ray, fromM, limitM);
  }
  // Whether anything lies between.
  bool isBlocked(const PathRay& ray, float fromM, float limitM) const {
    return !isEmpty() && nearest(ray, fromM, limitM).isHit;
  }

 private:
  std::vector<SwayingPlant> plants_;
  TopLevel top_;
};

}  // namespace understory
