// A tree over boxes of ours, each with a function that rays call where they enter it: what sources of hits that are no
// triangles in Embree have in common.
#pragma once

#include <cstddef>

#include "core/watch.h"
#include "surfaces/embree/topLevel.h"
#include "surfaces/hits.h"

namespace understory {

struct BoxFunctions;  // userGeometry.h

class UserScene {
 public:
  // Nothing to hit. `device` outlives it.
  explicit UserScene(RTCDeviceTy* device) : top_(device) {}

  // Once: `data`, which outlives it, has `size` things. Throws as TopLevel.
  void build(std::size_t size, const void* data, const BoxFunctions& functions, const Watch& watch);

  bool isEmpty() const { return isEmpty_; }
  template <std::size_t Width>
  void nearest(const RayLanes& rays, std::size_t active, PacketHits<Width>& hits) const {
    top_.nearest(rays, active, hits);
  }
  FacetHit nearest(const PathRay& ray, float fromM, float limitM) const {
    return top_.nearest(ray, fromM, limitM);
  }
  // Whether anything lies between.
  bool isBlocked(const PathRay& ray, float fromM, float limitM) const {
    return !isEmpty_ && nearest(ray, fromM, limitM).isHit;
  }

 private:
  TopLevel top_;
  bool isEmpty_ = true;
};

}  // namespace understory
