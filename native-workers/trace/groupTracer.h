// Traces one group of rays after another in packets and works out what each ray met. The arrays of a
// group are filled lane by lane, so that the arithmetic runs over many rays at a time.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "trace/beamRays.h"
#include "trace/embree.h"
#include "trace/embreeScene.h"
#include "trace/packetQuery.h"
#include "trace/rangeLimits.h"
#include "trace/rayGroups.h"

namespace understory {

// The hits of a group by place in its order. Only `meets` says something where a ray met nothing within
// the range limits; the rest holds for places that were traced.
struct GroupHits {
  alignas(64) std::array<float, raysPerGroup> rangeM;
  alignas(64) std::array<float, raysPerGroup> intensity;
  alignas(64) std::array<float, raysPerGroup> facetX;  // world, not of length 1
  alignas(64) std::array<float, raysPerGroup> facetY;
  alignas(64) std::array<float, raysPerGroup> facetZ;
  alignas(64) std::array<float, raysPerGroup> facetScale;  // to length 1, and towards the sensor
  alignas(64) std::array<float, raysPerGroup> cosIncidence;
  alignas(64) std::array<float, raysPerGroup> reflectance;
  alignas(64) std::array<std::uint32_t, raysPerGroup> instance;
  alignas(64) std::array<std::uint32_t, raysPerGroup> primitive;
  std::array<std::uint16_t, raysPerGroup> material;
  std::array<std::uint8_t, raysPerGroup> meets;
};

template <std::size_t Width>
class GroupTracer {
 public:
  static constexpr std::size_t packetsPerGroup = raysPerGroup / Width;
  using Packet = typename PacketOf<Width>::RayHit;

  // `reflectances`: by material index. All outlive the tracer.
  GroupTracer(const EmbreeScene& scene, const float* reflectances, RangeLimits limits)
      : scene_(scene), reflectances_(reflectances), limits_(limits) {
    full_.fill(-1);
    for (Packet& packet : packets_) {
      for (std::size_t lane = 0; lane < Width; ++lane) {
        // From the sensor's own origin: a surface nearer than the minimum range blocks the ray.
        packet.ray.tnear[lane] = 0.0F;
        packet.ray.time[lane] = 0.0F;
        packet.ray.mask[lane] = 0xFFFFFFFFU;
        packet.ray.id[lane] = 0;
        packet.ray.flags[lane] = 0;
      }
    }
  }

  // Sets the ray at a place of the group.
  void aim(std::size_t place, Vec3f origin, Vec3f direction) {
    Packet& packet = packets_[place / Width];
    const std::size_t lane = place % Width;
    packet.ray.org_x[lane] = origin.x;
    packet.ray.org_y[lane] = origin.y;
    packet.ray.org_z[lane] = origin.z;
    packet.ray.dir_x[lane] = direction.x;
    packet.ray.dir_y[lane] = direction.y;
    packet.ray.dir_z[lane] = direction.z;
  }

  Vec3f direction(std::size_t place) const {
    const Packet& packet = packets_[place / Width];
    const std::size_t lane = place % Width;
    return {packet.ray.dir_x[lane], packet.ray.dir_y[lane], packet.ray.dir_z[lane]};
  }

  // Traces packet `number` of a group of `rays` rays, all of which are aimed.
  void trace(std::size_t number, std::size_t rays) {
    Packet& packet = packets_[number];
    for (std::size_t lane = 0; lane < Width; ++lane) {
      packet.ray.tfar[lane] = limits_.maxM;
      packet.hit.geomID[lane] = RTC_INVALID_GEOMETRY_ID;
      packet.hit.instID[0][lane] = RTC_INVALID_GEOMETRY_ID;
    }
    const std::size_t active = rays - number * Width;
    if (active >= Width) {
      query_.template intersect<Width>(full_.data(), scene_.top(), packet);
    } else {
      alignas(64) std::array<int, Width> valid{};
      std::fill_n(valid.begin(), active, -1);
      query_.template intersect<Width>(valid.data(), scene_.top(), packet);
    }
    gather(packet, number * Width, std::min(active, Width));
    shade(packet, number * Width);
  }

  const GroupHits& hits() const { return hits_; }

 private:
  // What has to be looked up, ray by ray. A ray without a hit takes the first instance's place, so that
  // the arithmetic after it needs no condition.
  void gather(const Packet& packet, std::size_t first, std::size_t active) {
    const InstanceShading* shadings = scene_.shading().data();
    const float* reflectances = reflectances_;
    for (std::size_t lane = 0; lane < active; ++lane) {
      const std::size_t place = first + lane;
      const bool isHit = packet.hit.geomID[lane] != RTC_INVALID_GEOMETRY_ID;
      hits_.meets[place] = isHit && packet.ray.tfar[lane] >= limits_.minM ? 1 : 0;
      if (!isHit) continue;
      const std::uint32_t instance = packet.hit.instID[0][lane];
      const std::uint32_t primitive = packet.hit.primID[lane];
      const InstanceShading& shading = shadings[instance];
      const Vec3f facet = shading.inWorld(
          {packet.hit.Ng_x[lane], packet.hit.Ng_y[lane], packet.hit.Ng_z[lane]});
      hits_.facetX[place] = facet.x;
      hits_.facetY[place] = facet.y;
      hits_.facetZ[place] = facet.z;
      const std::uint16_t material = shading.materialOf(primitive);
      hits_.material[place] = material;
      hits_.reflectance[place] = reflectances[material];
      hits_.instance[place] = instance;
      hits_.primitive[place] = primitive;
    }
  }

  // Goodin 2018, section 3.2.2: intensity is reflectance times the cosine of the incidence.
  void shade(const Packet& packet, std::size_t first) {
    for (std::size_t lane = 0; lane < Width; ++lane) {
      const std::size_t place = first + lane;
      const float x = hits_.facetX[place];
      const float y = hits_.facetY[place];
      const float z = hits_.facetZ[place];
      const float along = x * packet.ray.dir_x[lane] + y * packet.ray.dir_y[lane] +
                          z * packet.ray.dir_z[lane];
      const float scale = (along > 0.0F ? -1.0F : 1.0F) / std::sqrt(x * x + y * y + z * z);
      const float cosine = std::min(1.0F, std::abs(along * scale));
      hits_.facetScale[place] = scale;
      hits_.cosIncidence[place] = cosine;
      hits_.intensity[place] = hits_.reflectance[place] * cosine;
      hits_.rangeM[place] = packet.ray.tfar[lane];
    }
  }

  const EmbreeScene& scene_;
  const float* reflectances_;
  RangeLimits limits_;
  PacketQuery query_;
  alignas(64) std::array<int, Width> full_{};
  std::array<Packet, packetsPerGroup> packets_{};
  GroupHits hits_{};
};

}  // namespace understory
