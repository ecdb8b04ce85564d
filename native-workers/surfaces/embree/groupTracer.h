// Traces one group of rays after another in packets and works out what each ray met. What has to be looked
// up is looked up ray by ray, here; the arithmetic runs over all rays of the group, in groupKernels.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "aim/beamRays.h"
#include "surfaces/embree/embree.h"
#include "surfaces/embree/embreeScene.h"
#include "aim/groupKernels.h"
#include "surfaces/embree/packetQuery.h"
#include "aim/rangeLimits.h"
#include "aim/rayGroups.h"

namespace understory {

template <std::size_t Width>
class GroupTracer {
 public:
  static constexpr std::size_t packetsPerGroup = raysPerGroup / Width;
  using Packet = typename PacketOf<Width>::RayHit;

  // `reflectances`: by material index. All outlive the tracer.
  GroupTracer(const EmbreeScene& scene, const GroupOptics& optics,
              std::span<const float> reflectances, RangeLimits limits)
      : scene_(scene),
        optics_(optics),
        shadings_(scene.shading()),
        reflectances_(reflectances),
        limits_(limits) {
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

  // Traces one firing of `laser` in each of the slots `pulses`. Of the packets only those that hold a ray
  // of the pulses [from, to) are traced; the hits of these pulses are complete then.
  void trace(std::span<const SlotFrame> slots, std::span<const std::uint8_t> pulses,
             const LaserAngle& laser, std::size_t from, std::size_t to) {
    aimGroup(optics_, slots, pulses, laser, rays_);
    if (shadings_.empty() || reflectances_.empty()) return;  // nothing to hit
    const std::size_t rays = pulses.size() * raysPerPulse;
    const std::size_t firstPacket = from * raysPerPulse / Width;
    const std::size_t lastPacket = (to * raysPerPulse - 1) / Width;
    for (std::size_t packet = firstPacket; packet <= lastPacket; ++packet) {
      tracePacket(packet, std::min(Width, rays - packet * Width));
    }
    for (std::size_t packet = firstPacket; packet <= lastPacket; ++packet) {
      gather(packet, std::min(Width, rays - packet * Width));
    }
    shadeGroup(rays_, hits_);
  }

  const GroupHits& hits() const { return hits_; }

  Vec3f direction(std::size_t cell) const {
    return {rays_.cellX[cell], rays_.cellY[cell], rays_.cellZ[cell]};
  }

 private:
  void tracePacket(std::size_t number, std::size_t active) {
    Packet& packet = packets_[number];
    const std::size_t first = number * Width;
    const auto copy = [first](float* to, const ByPlace<float>& from) {
      std::memcpy(to, from.data() + first, Width * sizeof(float));
    };
    copy(packet.ray.org_x, rays_.originX);
    copy(packet.ray.org_y, rays_.originY);
    copy(packet.ray.org_z, rays_.originZ);
    copy(packet.ray.dir_x, rays_.directionX);
    copy(packet.ray.dir_y, rays_.directionY);
    copy(packet.ray.dir_z, rays_.directionZ);
    for (std::size_t lane = 0; lane < Width; ++lane) {
      packet.ray.tfar[lane] = limits_.maxM;
      packet.hit.geomID[lane] = RTC_INVALID_GEOMETRY_ID;
      packet.hit.instID[0][lane] = RTC_INVALID_GEOMETRY_ID;
    }
    if (active == Width) {
      query_.template intersect<Width>(full_.data(), scene_.top(), packet);
    } else {
      alignas(64) std::array<int, Width> valid{};
      std::fill_n(valid.begin(), active, -1);
      query_.template intersect<Width>(valid.data(), scene_.top(), packet);
    }
    // What gather() looks up comes closer while the next packet is traced.
    for (std::size_t lane = 0; lane < active; ++lane) {
      const unsigned instance = packet.hit.instID[0][lane];
      __builtin_prefetch(&shadings_[instance != RTC_INVALID_GEOMETRY_ID ? instance : 0]);
    }
  }

  // A ray without a hit takes the first instance's place, so that nothing branches on whether there is one:
  // in grass that is anyone's guess, a processor's, too.
  void gather(std::size_t number, std::size_t active) {
    const Packet& packet = packets_[number];
    for (std::size_t lane = 0; lane < active; ++lane) {
      const std::size_t cell = optics_.cellOfPlace[number * Width + lane];
      const bool isHit = packet.hit.geomID[lane] != RTC_INVALID_GEOMETRY_ID;
      const float rangeM = packet.ray.tfar[lane];
      hits_.rangeM[cell] = rangeM;
      hits_.meets[cell] = static_cast<std::uint32_t>(isHit) &
                          static_cast<std::uint32_t>(rangeM >= limits_.minM);
      const std::uint32_t taken = 0U - static_cast<std::uint32_t>(isHit);
      const std::uint32_t instance = packet.hit.instID[0][lane] & taken;
      const std::uint32_t primitive = packet.hit.primID[lane] & taken;
      const InstanceShading& shading = shadings_[instance];
      const Vec3f facet = shading.inWorld(
          {packet.hit.Ng_x[lane], packet.hit.Ng_y[lane], packet.hit.Ng_z[lane]});
      hits_.facetX[cell] = facet.x;
      hits_.facetY[cell] = facet.y;
      hits_.facetZ[cell] = facet.z;
      const std::uint16_t material = shading.materialOf(primitive);
      hits_.material[cell] = material;
      hits_.reflectance[cell] = reflectances_[material];
      hits_.instance[cell] = instance;
      hits_.primitive[cell] = primitive;
    }
  }

  const EmbreeScene& scene_;
  const GroupOptics& optics_;
  std::span<const InstanceShading> shadings_;
  std::span<const float> reflectances_;
  RangeLimits limits_;
  PacketQuery query_;
  alignas(64) std::array<int, Width> full_{};
  std::array<Packet, packetsPerGroup> packets_{};
  GroupRays rays_{};
  GroupHits hits_{};
};

}  // namespace understory
