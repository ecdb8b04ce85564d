// The only file that depends on the Embree version: 3.13 (Debian 12) or 4. Only surfaces/embree and bench/raw include
// it, and query through RayQuery.
#pragma once

#if UNDERSTORY_EMBREE_MAJOR >= 4
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

#include <cstdint>
#include <span>

#include "surfaces/hits.h"

namespace understory {

// Context that Embree passes to callbacks beside a ray: the first member of a query's own context.
#if UNDERSTORY_EMBREE_MAJOR >= 4
using RayContext = RTCRayQueryContext;
#else
using RayContext = RTCIntersectContext;
#endif

// One ray with a context of the caller's own, which begins with `context`.
inline void intersectWith(RayContext& context, RTCScene scene, RTCRayHit& query) {
#if UNDERSTORY_EMBREE_MAJOR >= 4
  rtcInitRayQueryContext(&context);
  RTCIntersectArguments arguments;
  rtcInitIntersectArguments(&arguments);
  arguments.context = &context;
  rtcIntersect1(scene, &query, &arguments);
#else
  rtcInitIntersectContext(&context);
  rtcIntersect1(scene, &context, &query);
#endif
}

// Where learned surfaces let the rays of a query pass: by lane, or of a single ray.
struct PassedPulses {
  const LearnedDraws* draws = nullptr;  // null: nowhere
  const std::uint64_t* pulses = nullptr;
  std::uint32_t* minSupport = nullptr;  // PathRay::minSupport
};

// Arguments of a call of Embree beside the rays. Why one for each call and thread: an RTCIntersectContext
// shared by threads is written to by all of them.
class RayQuery {
 public:
  explicit RayQuery(bool isCoherent) {
#if UNDERSTORY_EMBREE_MAJOR >= 4
    rtcInitRayQueryContext(&context_.base);
    rtcInitIntersectArguments(&intersect_);
    rtcInitOccludedArguments(&occluded_);
    intersect_.context = &context_.base;
    occluded_.context = &context_.base;
    if (isCoherent) {
      intersect_.flags = RTC_RAY_QUERY_FLAG_COHERENT;
      occluded_.flags = RTC_RAY_QUERY_FLAG_COHERENT;
    }
#else
    rtcInitIntersectContext(&context_.base);
    if (isCoherent) context_.base.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
#endif
  }
  RayQuery(const RayQuery&) = delete;
  RayQuery& operator=(const RayQuery&) = delete;

  // Facets that filters of meshes reject (embreeScene.cpp); outlive the query. Null: none.
  void setPassed(const std::span<const FacetId>* passed) { context_.passed = passed; }
  // The whole list, as a function of a geometry gets it.
  template <typename Arguments>
  static const std::span<const FacetId>* passedOf(const Arguments& arguments) {
    return reinterpret_cast<const Context*>(arguments.context)->passed;
  }
  // The targets of `pulses` outlive the query.
  void setPulses(PassedPulses pulses) { context_.pulses = pulses; }
  template <typename Arguments>
  static const PassedPulses& pulsesOf(const Arguments& arguments) {
    return reinterpret_cast<const Context*>(arguments.context)->pulses;
  }
  // When rays leave the sensor, by their ids; outlive the query. Null: all at 0.
  void setTimes(const std::int64_t* timesNs) { context_.timesNs = timesNs; }
  static const std::int64_t* timesOf(const RTCIntersectFunctionNArguments& arguments) {
    return reinterpret_cast<const Context*>(arguments.context)->timesNs;
  }
  // The number of the model that is traced, where it is no instance of Embree's.
  void setInstance(std::uint32_t number) { context_.base.instID[0] = number; }

  void intersect(RTCScene scene, RTCRayHit& query) {
#if UNDERSTORY_EMBREE_MAJOR >= 4
    rtcIntersect1(scene, &query, &intersect_);
#else
    rtcIntersect1(scene, &context_.base, &query);
#endif
  }

  // Sets query.tfar to -infinity where something lies between tnear and tfar.
  void occluded(RTCScene scene, RTCRay& query) {
#if UNDERSTORY_EMBREE_MAJOR >= 4
    rtcOccluded1(scene, &query, &occluded_);
#else
    rtcOccluded1(scene, &context_.base, &query);
#endif
  }

  // `valid`: -1 for each lane to trace, 0 for the others; aligned as the packet.
  void intersect(const int* valid, RTCScene scene, RTCRayHit4& packet) {
#if UNDERSTORY_EMBREE_MAJOR >= 4
    rtcIntersect4(valid, scene, &packet, &intersect_);
#else
    rtcIntersect4(valid, scene, &context_.base, &packet);
#endif
  }
  void intersect(const int* valid, RTCScene scene, RTCRayHit8& packet) {
#if UNDERSTORY_EMBREE_MAJOR >= 4
    rtcIntersect8(valid, scene, &packet, &intersect_);
#else
    rtcIntersect8(valid, scene, &context_.base, &packet);
#endif
  }
  void intersect(const int* valid, RTCScene scene, RTCRayHit16& packet) {
#if UNDERSTORY_EMBREE_MAJOR >= 4
    rtcIntersect16(valid, scene, &packet, &intersect_);
#else
    rtcIntersect16(valid, scene, &context_.base, &packet);
#endif
  }

#if UNDERSTORY_EMBREE_MAJOR < 4
  // Many rays at once; Embree 4 has no streams any more.
  void intersect(RTCScene scene, RTCRayHit* rays, unsigned count) {
    rtcIntersect1M(scene, &context_.base, rays, count, sizeof(RTCRayHit));
  }
#endif

 private:
#if UNDERSTORY_EMBREE_MAJOR >= 4
  struct Context {
    RTCRayQueryContext base{};
    const std::span<const FacetId>* passed = nullptr;
    PassedPulses pulses;
    const std::int64_t* timesNs = nullptr;
  };
  RTCIntersectArguments intersect_{};
  RTCOccludedArguments occluded_{};
#else
  struct Context {
    RTCIntersectContext base{};
    const std::span<const FacetId>* passed = nullptr;
    PassedPulses pulses;
    const std::int64_t* timesNs = nullptr;
  };
#endif
  Context context_;
};

// The packet type of a width.
template <std::size_t Width>
struct PacketOf;
template <>
struct PacketOf<1> {
  using RayHit = RTCRayHit;
};
template <>
struct PacketOf<4> {
  using RayHit = RTCRayHit4;
};
template <>
struct PacketOf<8> {
  using RayHit = RTCRayHit8;
};
template <>
struct PacketOf<16> {
  using RayHit = RTCRayHit16;
};

}  // namespace understory
