// Rays through Embree: packets coherently where that loses nothing, single rays one by one.
#include <algorithm>

#include "surfaces/embree/embreeScene.h"
#include "surfaces/embree/packetQuery.h"
#include "surfaces/embree/setRay.h"

namespace understory {
namespace {

static_assert(RTC_INVALID_GEOMETRY_ID == noInstance);

// Rays from minHitM on, not from the minimum range: a surface nearer than that blocks the ray.
template <std::size_t Width, typename Packet>
void setRays(Packet& packet, const RayLanes& rays, const PacketHits<Width>& limits) {
#pragma GCC ivdep
  for (std::size_t lane = 0; lane < Width; ++lane) {
    setRay(packet, lane,
           {{rays.originX[lane], rays.originY[lane], rays.originZ[lane]},
            {rays.directionX[lane], rays.directionY[lane], rays.directionZ[lane]}},
           minHitM, limits.rangeM[lane]);
  }
  if (rays.time != nullptr) std::copy_n(rays.time, Width, packet.ray.time);
}

template <std::size_t Width, typename Packet>
void readHits(const Packet& packet, PacketHits<Width>& hits) {
#pragma GCC ivdep
  for (std::size_t lane = 0; lane < Width; ++lane) {
    hits.rangeM[lane] = packet.ray.tfar[lane];
    hits.facetX[lane] = packet.hit.Ng_x[lane];
    hits.facetY[lane] = packet.hit.Ng_y[lane];
    hits.facetZ[lane] = packet.hit.Ng_z[lane];
    hits.instance[lane] = packet.hit.instID[0][lane];
    hits.primitive[lane] = packet.hit.primID[lane];
  }
}

}  // namespace

template <std::size_t Width>
void EmbreeScene::nearestInPacket(const RayLanes& rays, std::size_t active,
                                  PacketHits<Width>& hits) const {
  typename PacketOf<Width>::RayHit packet{};
  setRays<Width>(packet, rays, hits);
  alignas(64) std::array<int, Width> valid{};
  std::fill_n(valid.begin(), active, -1);
  PacketQuery().intersect<Width>(valid.data(), top_, packet);
  readHits(packet, hits);
}

void EmbreeScene::nearest(const RayLanes& rays, std::size_t active, PacketHits<4>& hits) const {
  nearestInPacket(rays, active, hits);
}
void EmbreeScene::nearest(const RayLanes& rays, std::size_t active, PacketHits<8>& hits) const {
  nearestInPacket(rays, active, hits);
}
void EmbreeScene::nearest(const RayLanes& rays, std::size_t active, PacketHits<16>& hits) const {
  nearestInPacket(rays, active, hits);
}

FacetHit EmbreeScene::nearest(const PathRay& ray, float fromM, float limitM) const {
  RTCRayHit query{};
  setRay(query, 0, ray, fromM, limitM);
  RayQuery of(false);
  if (!ray.passed.empty()) of.setPassed(&ray.passed);
  of.intersect(top_, query);
  return {query.ray.tfar,
          {query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z},
          query.hit.instID[0],
          query.hit.primID,
          query.hit.geomID != RTC_INVALID_GEOMETRY_ID};
}

bool EmbreeScene::isBlocked(const PathRay& ray, float fromM, float limitM) const {
  RTCRayHit query{};
  setRay(query, 0, ray, fromM, limitM);
  RayQuery(false).occluded(top_, query.ray);
  return query.ray.tfar < 0.0F;
}

}  // namespace understory
