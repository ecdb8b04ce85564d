// The one function that fills a ray of Embree, alone or as a lane of a packet.
#pragma once

#include "surfaces/embree/embree.h"
#include "surfaces/hits.h"

namespace understory {

template <typename Value>
Value& laneOf(Value& value, std::size_t) {
  return value;
}
template <typename Value, std::size_t Width>
Value& laneOf(Value (&values)[Width], std::size_t lane) {
  return values[lane];
}

template <typename Query>
[[gnu::always_inline]] inline void setLine(Query& query, std::size_t lane, Vec3f originM,
                                           Vec3f direction) {
  laneOf(query.ray.org_x, lane) = originM.x;
  laneOf(query.ray.org_y, lane) = originM.y;
  laneOf(query.ray.org_z, lane) = originM.z;
  laneOf(query.ray.dir_x, lane) = direction.x;
  laneOf(query.ray.dir_y, lane) = direction.y;
  laneOf(query.ray.dir_z, lane) = direction.z;
}

// From nearM to farM. `Query` is RTCRayHit (lane 0), RTCRayHit4, 8 or 16.
template <typename Query>
[[gnu::always_inline]] inline void setRay(Query& query, std::size_t lane, const PathRay& ray,
                                          float nearM, float farM) {
  setLine(query, lane, ray.originM, ray.direction);
  laneOf(query.ray.tnear, lane) = nearM;
  laneOf(query.ray.tfar, lane) = farM;
  laneOf(query.ray.time, lane) = 0.0F;
  laneOf(query.ray.mask, lane) = 0xFFFFFFFFU;
  laneOf(query.ray.id, lane) = 0;
  laneOf(query.ray.flags, lane) = 0;
  laneOf(query.hit.geomID, lane) = RTC_INVALID_GEOMETRY_ID;
  laneOf(query.hit.instID[0], lane) = RTC_INVALID_GEOMETRY_ID;
}

}  // namespace understory
