// Geometry of ours in a tree of Embree: boxes, and functions that rays call where they enter one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/maths/maths.h"
#include "surfaces/embree/embree.h"
#include "surfaces/embree/setRay.h"

namespace understory {

inline void setBounds(RTCBounds& bounds, const Boundsf& box) {
  bounds.lower_x = box.min.x;
  bounds.lower_y = box.min.y;
  bounds.lower_z = box.min.z;
  bounds.upper_x = box.max.x;
  bounds.upper_y = box.max.y;
  bounds.upper_z = box.max.z;
}

// The box of a thing, and rays that enter it.
struct BoxFunctions {
  RTCBoundsFunction bound;
  RTCIntersectFunctionN meet;
};

// As geometry 0 of `tree`. `data` outlives it; Embree writes nothing to it.
inline void attachUserGeometry(RTCDeviceTy* device, RTCSceneTy* tree, std::size_t size,
                               const void* data, const BoxFunctions& functions) {
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
  rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(size));
  rtcSetGeometryUserData(geometry, const_cast<void*>(data));
  rtcSetGeometryBoundsFunction(geometry, functions.bound, nullptr);
  rtcSetGeometryIntersectFunction(geometry, functions.meet);
  rtcCommitGeometry(geometry);
  rtcAttachGeometryByID(tree, geometry, 0);
  rtcReleaseGeometry(geometry);
}

// A hit of a ray on an instance, as geometry of ours has found it.
struct LaneHit {
  float rangeM;
  std::uint32_t instance;
  std::uint32_t primitive;
  Vec3f normal;  // in the frame of FacetHit::facet
};

// The hit becomes that of the query's ray: of several at one range the lowest number has it.
template <typename Packet>
void takeHit(Packet& query, std::size_t lane, const LaneHit& hit) {
  if (laneOf(query.hit.geomID, lane) != RTC_INVALID_GEOMETRY_ID &&
      hit.rangeM == laneOf(query.ray.tfar, lane) &&
      laneOf(query.hit.instID[0], lane) < hit.instance) {
    return;
  }
  laneOf(query.ray.tfar, lane) = hit.rangeM;
  laneOf(query.hit.Ng_x, lane) = hit.normal.x;
  laneOf(query.hit.Ng_y, lane) = hit.normal.y;
  laneOf(query.hit.Ng_z, lane) = hit.normal.z;
  laneOf(query.hit.u, lane) = 0.0F;
  laneOf(query.hit.v, lane) = 0.0F;
  laneOf(query.hit.primID, lane) = hit.primitive;
  laneOf(query.hit.geomID, lane) = 0U;
  laneOf(query.hit.instID[0], lane) = hit.instance;
}

template <typename Packet>
bool isHit(const Packet& traced, std::size_t lane) {
  return laneOf(traced.hit.geomID, lane) != RTC_INVALID_GEOMETRY_ID;
}

template <typename Packet>
Vec3f normalOf(const Packet& traced, std::size_t lane) {
  return {laneOf(traced.hit.Ng_x, lane), laneOf(traced.hit.Ng_y, lane),
          laneOf(traced.hit.Ng_z, lane)};
}

}  // namespace understory
