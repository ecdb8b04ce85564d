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

// As geometry 0 of `tree`. `data` outlives it; Embree writes nothing to it.
inline void attachUserGeometry(RTCDeviceTy* device, RTCSceneTy* tree, std::size_t size,
                               const void* data, RTCBoundsFunction bound,
                               RTCIntersectFunctionN meet) {
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
  rtcSetGeometryUserPrimitiveCount(geometry, static_cast<unsigned>(size));
  rtcSetGeometryUserData(geometry, const_cast<void*>(data));
  rtcSetGeometryBoundsFunction(geometry, bound, nullptr);
  rtcSetGeometryIntersectFunction(geometry, meet);
  rtcCommitGeometry(geometry);
  rtcAttachGeometryByID(tree, geometry, 0);
  rtcReleaseGeometry(geometry);
}

// Whether the hit of lane `lane` of `traced`, rays to the model of instance `instance`, becomes that of the query's ray:
// of several at one range the lowest number has it. All but its normal is stored then.
template <typename Packet>
bool takeHit(const Packet& traced, std::size_t lane, std::uint32_t instance, Packet& query) {
  const auto& [ray, hit] = traced;
  if (laneOf(hit.geomID, lane) == RTC_INVALID_GEOMETRY_ID) return false;
  const float rangeM = laneOf(ray.tfar, lane);
  if (laneOf(query.hit.geomID, lane) != RTC_INVALID_GEOMETRY_ID &&
      rangeM == laneOf(query.ray.tfar, lane) && laneOf(query.hit.instID[0], lane) < instance) {
    return false;
  }
  laneOf(query.ray.tfar, lane) = rangeM;
  laneOf(query.hit.u, lane) = laneOf(hit.u, lane);
  laneOf(query.hit.v, lane) = laneOf(hit.v, lane);
  laneOf(query.hit.primID, lane) = laneOf(hit.primID, lane);
  laneOf(query.hit.geomID, lane) = laneOf(hit.geomID, lane);
  laneOf(query.hit.instID[0], lane) = instance;
  return true;
}

template <typename Packet>
Vec3f normalOf(const Packet& traced, std::size_t lane) {
  return {laneOf(traced.hit.Ng_x, lane), laneOf(traced.hit.Ng_y, lane),
          laneOf(traced.hit.Ng_z, lane)};
}

template <typename Packet>
void setNormal(Packet& query, std::size_t lane, Vec3f normal) {
  laneOf(query.hit.Ng_x, lane) = normal.x;
  laneOf(query.hit.Ng_y, lane) = normal.y;
  laneOf(query.hit.Ng_z, lane) = normal.z;
}

}  // namespace understory
