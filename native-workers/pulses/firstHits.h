// The nearest facets along the rays of a tile, in packets, and what lies behind the surface that a sensor stands on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "aim/pulseRays.h"
#include "core/maths/maths.h"
#include "surfaces/hits.h"

namespace understory {

// Whether a ray starts on the plane of a facet, but for rounding. Why not by its range alone: a ray that leaves a plane
// at a small angle, and starts behind it by rounding, meets it late.
inline bool startsOnPlane(const PathRay& ray, const FacetHit& hit, const InstanceShading& shading) {
  const Vec3f normal = shading.inWorld(hit.facet);
  const float along = hit.rangeM * dot(normal, ray.direction);
  const float minM = minHitM(ray.originM);
  return along * along < minM * minM * dot(normal, normal);
}

// `first`, or the nearest hit behind it on a plane that does not pass the ray's origin.
template <HitSource Source>
FacetHit offOwnSurface(const Source& source, const InstanceShadings& shadings, const PathRay& ray,
                       const FacetHit& first, float limitM) {
  FacetHit hit = first;
  // A ray within its plane meets many facets of it.
  constexpr std::size_t maxFacets = 256;
  for (std::size_t facet = 0; facet < maxFacets && hit.isHit; ++facet) {
    if (!startsOnPlane(ray, hit, shadings[hit.instance])) break;
    hit = source.nearest(ray, hit.rangeM * (1.0F + 0x1.0p-20F) + 1e-6F, limitM);
  }
  return hit;
}

template <std::size_t Width, HitSource Source>
void findFirstHitsInPackets(const Source& source, const RayArrays& rays, std::size_t from,
                            std::size_t to, float maxRangeM, std::span<FacetHit> hits,
                            const std::uint64_t* pulses, const LearnedDraws* draws,
                            const std::int64_t* timesNs) {
  static_assert(Width <= RayArrays::padding);
  RayLanes lanes{rays.originX.data(),    rays.originY.data(),    rays.originZ.data(),
                 rays.directionX.data(), rays.directionY.data(), rays.directionZ.data()};
  lanes.pulse = pulses;
  lanes.draws = draws;
  lanes.timeNs = timesNs;
  PacketHits<Width> packet{};
  for (std::size_t first = from / Width * Width; first < to; first += Width) {
    const std::size_t active = std::min(Width, hits.size() - first);
    packet.rangeM.fill(maxRangeM);
    source.nearest(lanes.from(first), active, packet);
    for (std::size_t lane = 0; lane < active; ++lane) hits[first + lane] = packet.at(lane);
  }
}

// Rays [from, to) of `rays` into the same indices of `hits`, of which there are as many as rays, up to `maxRangeM`.
// Packets are cut from the whole of `rays`, `width` rays each, so the hit of a ray does not depend on `from` and `to`.
// Neighbours in the list should be neighbours in space. `pulses`, `timesNs` (by ray, with padding) and `draws`: as in
// RayLanes.
template <HitSource Source>
void findFirstHits(const Source& source, std::size_t width, const RayArrays& rays, std::size_t from,
                   std::size_t to, float maxRangeM, std::span<FacetHit> hits,
                   const std::uint64_t* pulses = nullptr, const LearnedDraws* draws = nullptr,
                   const std::int64_t* timesNs = nullptr) {
  if (source.isEmpty()) {
    std::fill(hits.begin() + static_cast<std::ptrdiff_t>(from),
              hits.begin() + static_cast<std::ptrdiff_t>(to), FacetHit{});
    return;
  }
  switch (width) {
    case 16:
      return findFirstHitsInPackets<16>(source, rays, from, to, maxRangeM, hits, pulses, draws,
                                        timesNs);
    case 8:
      return findFirstHitsInPackets<8>(source, rays, from, to, maxRangeM, hits, pulses, draws,
                                       timesNs);
    default:
      return findFirstHitsInPackets<4>(source, rays, from, to, maxRangeM, hits, pulses, draws,
                                       timesNs);
  }
}

}  // namespace understory
