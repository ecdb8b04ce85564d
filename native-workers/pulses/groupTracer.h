// Traces one group of rays after another in packets and computes what each ray hit. Look-ups happen ray by ray, here;
// the arithmetic runs over all rays of the group, in aim/groupKernels.h.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "aim/beamRays.h"
#include "aim/groupKernels.h"
#include "aim/rangeLimits.h"
#include "aim/rayGroups.h"
#include "pulses/elementOverlay.h"
#include "pulses/firstHits.h"
#include "pulses/lineSupport.h"
#include "surfaces/hits.h"

namespace understory {

template <HitSource Source, std::size_t Width>
class GroupTracer {
 public:
  static constexpr std::size_t packetsPerGroup = raysPerGroup / Width;

  // `reflectances`: by material index. All outlive the tracer.
  GroupTracer(const Source& source, const InstanceShadings& shadings, const GroupOptics& optics,
              std::span<const float> reflectances, RangeLimits limits,
              ElementOverlay* learned = nullptr)
      : source_(source),
        optics_(optics),
        shadings_(shadings),
        reflectances_(reflectances),
        limits_(limits),
        learned_(learned),
        hasNothingToHit_(source.isEmpty() || shadings.isEmpty() || reflectances.empty()) {}

  // Traces at most 16 pulses. Only those packets are traced that hold a ray of the pulses [from, to); the hits of
  // these pulses are complete then.
  void trace(std::span<const PulseAxes> pulses, std::size_t from, std::size_t to,
             const GroupPulses& names) {
    aimGroup(optics_, pulses, rays_);
    if constexpr (!Source::isStill) {
      for (std::size_t lane = 0; lane < raysPerGroup; ++lane) {
        timesNs_[lane] = names.timesNs[lane / raysPerPulse];
      }
    }
    if (learned_ != nullptr) return traceLearned(pulses, from, to, names);
    if (hasNothingToHit_) {
      hits_.rangeM.fill(limits_.maxM);
      return;
    }
    traceTriangles(pulses, from, to, names);
    shadeGroup(rays_, hits_);
  }

  // Supports of the pulses that were traced last, from the first of them on.
  void findSupports(std::array<std::uint32_t, PulseLines::width>& supports) const {
    understory::findSupports(source_, learned_->context(), limits_.maxM, learned_->lines(),
                             learned_->met(), learned_->trails(), supports);
  }

  const GroupHits& hits() const { return hits_; }
  const GroupRays& rays() const { return rays_; }

 private:
  void traceTriangles(std::span<const PulseAxes> pulses, std::size_t from, std::size_t to,
                      const GroupPulses& names) {
    const std::size_t rays = pulses.size() * raysPerPulse;
    const std::size_t firstPacket = from * raysPerPulse / Width;
    const std::size_t lastPacket = (to * raysPerPulse - 1) / Width;
    for (std::size_t packet = firstPacket; packet <= lastPacket; ++packet) {
      tracePacket(packet, std::min(Width, rays - packet * Width));
    }
    for (std::size_t packet = firstPacket; packet <= lastPacket; ++packet) {
      gather(packet, 0, std::min(Width, rays - packet * Width));
    }
    float minM = 0.0F;
    for (const PulseAxes& axes : pulses) minM = std::max(minM, minHitM(axes.origin));
    // Why twice as much: a window moves origins.
    if (!startsNearPlane(rays_, hits_, 2.0F * minM)) return;
    for (std::size_t lane = firstPacket * Width; lane < std::min(rays, (lastPacket + 1) * Width);
         ++lane) {
      leaveOwnSurface(lane, names);
    }
  }

  void leaveOwnSurface(std::size_t lane, const GroupPulses& names) {
    PathRay ray{{rays_.originX[lane], rays_.originY[lane], rays_.originZ[lane]},
                {rays_.directionX[lane], rays_.directionY[lane], rays_.directionZ[lane]}};
    if constexpr (!Source::isStill) ray.timeNs = timesNs_[lane];
    if (learned_ != nullptr) {
      ray.pulse = names.numbers[lane / raysPerPulse];
      ray.draws = &learned_->context().draws();
    }
    PacketHits<Width>& packet = packets_[lane / Width];
    const FacetHit first = packet.at(lane % Width);
    if (!first.isHit) return;
    FacetHit hit = offOwnSurface(source_, shadings_, ray, first, limits_.maxM);
    if (!hit.isHit) {
      hit.instance = noInstance;
      hit.rangeM = limits_.maxM;
    }
    packet.set(lane % Width, hit);
    gather(lane / Width, lane % Width, lane % Width + 1);
  }

  // Rays without a triangle end at infinity until an element ends them.
  void traceLearned(std::span<const PulseAxes> pulses, std::size_t from, std::size_t to,
                    const GroupPulses& names) {
    if (hasNothingToHit_) {
      hits_.rangeM.fill(std::numeric_limits<float>::infinity());
      hits_.meets.fill(0);
    } else {
      if (learned_->context().needsPulses()) numberLanes(names);
      traceTriangles(pulses, from, to, names);
      for (std::size_t lane = 0; lane < raysPerGroup; ++lane) {
        if (packets_[lane / Width].instance[lane % Width] == noInstance) {
          hits_.rangeM[optics_.cellOfLane[lane]] = std::numeric_limits<float>::infinity();
        }
      }
    }
    learned_->apply(pulses, from, to, names, rays_, hits_);
    shadeGroup(rays_, hits_);
    learned_->settle(from, to, hits_);
  }

  void numberLanes(const GroupPulses& names) {
    for (std::size_t lane = 0; lane < raysPerGroup; ++lane) {
      pulses_[lane] = names.numbers[lane / raysPerPulse];
    }
  }

  void tracePacket(std::size_t number, std::size_t active) {
    PacketHits<Width>& packet = packets_[number];
    RayLanes lanes{rays_.originX.data(),    rays_.originY.data(),    rays_.originZ.data(),
                   rays_.directionX.data(), rays_.directionY.data(), rays_.directionZ.data()};
    if (learned_ != nullptr && learned_->context().needsPulses()) {
      lanes.pulse = pulses_.data();
      lanes.draws = &learned_->context().draws();
    }
    if constexpr (!Source::isStill) lanes.timeNs = timesNs_.data();
    packet.rangeM.fill(limits_.maxM);
    source_.nearest(lanes.from(number * Width), active, packet);
    // Fetches what gather() reads while the next packet is traced.
    for (std::size_t lane = 0; lane < active; ++lane) {
      shadings_.prefetch(packet.instance[lane]);
    }
  }

  // Lanes [from, to). A ray without a hit reads the first instance, so that nothing branches on whether there is a hit:
  // in grass the branch predictor cannot know.
  void gather(std::size_t number, std::size_t from, std::size_t to) {
    const PacketHits<Width>& packet = packets_[number];
    for (std::size_t lane = from; lane < to; ++lane) {
      const std::size_t cell = optics_.cellOfLane[number * Width + lane];
      const bool isHit = packet.instance[lane] != noInstance;
      const float rangeM = packet.rangeM[lane];
      hits_.rangeM[cell] = rangeM;
      hits_.meets[cell] =
          static_cast<std::uint32_t>(isHit) & static_cast<std::uint32_t>(rangeM >= limits_.minM);
      const std::uint32_t mask = 0U - static_cast<std::uint32_t>(isHit);
      const std::uint32_t instance = packet.instance[lane] & mask;
      const std::uint32_t primitive = packet.primitive[lane] & mask;
      const InstanceShading& shading = shadings_[instance];
      const Vec3f facet =
          shading.inWorld({packet.facetX[lane], packet.facetY[lane], packet.facetZ[lane]});
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

  const Source& source_;
  const GroupOptics& optics_;
  const InstanceShadings& shadings_;
  std::span<const float> reflectances_;
  RangeLimits limits_;
  ElementOverlay* learned_;  // null: no learned models
  bool hasNothingToHit_;
  std::array<std::uint64_t, raysPerGroup> pulses_{};  // by lane
  std::array<std::int64_t, raysPerGroup> timesNs_{};  // likewise
  std::array<PacketHits<Width>, packetsPerGroup> packets_{};
  GroupRays rays_{};
  GroupHits hits_{};
};

}  // namespace understory
