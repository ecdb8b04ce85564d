// Geometry of ours in a tree of Embree: boxes, and functions that rays call where they enter one.
#pragma once

#include <cstddef>

#include "core/maths/maths.h"
#include "surfaces/embree/embree.h"

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

}  // namespace understory
