// A tree over placed copies of models, in Embree, and the queries of rays to it. In Embree's hits instID[0] is the number
// that a copy was placed with, geomID is 0, primID the triangle of the model.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/maths/maths.h"
#include "core/watch.h"
#include "surfaces/hits.h"

struct RTCDeviceTy;
struct RTCSceneTy;

namespace understory {

// A tree without copies; what is in it can be committed once.
// Why robust: without it one in twenty rays aimed at a corner or edge that triangles share slips through
// (67,933 of 71,442 met the wall of the test), with it none; it costs a tenth of the tracing time
// (1.02 against 1.13 processor seconds for 4.5 million rays on the courtyard, AVX-512).
// Why neither compact nor high quality: compact trees take 33 bytes a triangle instead of 60, and a
// seventh more time to trace (0.55 against 0.48 processor seconds for 0.2 s of an HDL-64E there);
// RTC_BUILD_QUALITY_HIGH gives the same trees (Embree splits no triangles in a robust scene).
RTCSceneTy* newEmbreeScene(RTCDeviceTy* device);

class TopLevel {
 public:
  // `device` outlives it.
  explicit TopLevel(RTCDeviceTy* device);
  TopLevel(TopLevel&& other) noexcept;
  ~TopLevel();
  TopLevel(const TopLevel&) = delete;
  TopLevel& operator=(const TopLevel&) = delete;
  TopLevel& operator=(TopLevel&&) = delete;

  // A copy of a model, which is committed.
  void place(std::uint32_t number, RTCSceneTy* model, const Placement& placement);
  // The same by a matrix of three rows, column by column.
  void place(std::uint32_t number, RTCSceneTy* model, const std::array<float, 12>& worldFromModel);
  // Ends placing. `watch`: phase 'top-level' in instances. Throws 'cancelled', 'scene-too-large', 'worker-failed'.
  void commit(const Watch& watch);

  RTCSceneTy* handle() const { return scene_; }
  RTCDeviceTy* device() const { return device_; }

  // As HitSource.
  void nearest(const RayLanes& rays, std::size_t active, PacketHits<4>& hits) const;
  void nearest(const RayLanes& rays, std::size_t active, PacketHits<8>& hits) const;
  void nearest(const RayLanes& rays, std::size_t active, PacketHits<16>& hits) const;
  FacetHit nearest(const PathRay& ray, float fromM, float limitM) const;
  // Whether anything lies between.
  bool isBlocked(const PathRay& ray, float fromM, float limitM) const;

 private:
  template <std::size_t Width>
  void nearestInPacket(const RayLanes& rays, std::size_t active, PacketHits<Width>& hits) const;

  RTCDeviceTy* device_;
  RTCSceneTy* scene_;
  std::size_t copies_ = 0;
};

}  // namespace understory
