// Packets of 4, 8 or 16 rays.
#include "surfaces/embree/firstHits.h"

#include <algorithm>
#include <array>

#include "surfaces/embree/packetQuery.h"

namespace understory {
namespace {

template <std::size_t Width>
void aim(typename PacketOf<Width>::RayHit& packet, std::size_t lane, const PathRay& ray,
         float maxRangeM) {
  packet.ray.org_x[lane] = ray.originM.x;
  packet.ray.org_y[lane] = ray.originM.y;
  packet.ray.org_z[lane] = ray.originM.z;
  packet.ray.dir_x[lane] = ray.direction.x;
  packet.ray.dir_y[lane] = ray.direction.y;
  packet.ray.dir_z[lane] = ray.direction.z;
  // From the sensor's own origin: a surface nearer than the minimum range blocks the ray.
  packet.ray.tnear[lane] = 0.0F;
  packet.ray.tfar[lane] = maxRangeM;
  packet.ray.time[lane] = 0.0F;
  packet.ray.mask[lane] = 0xFFFFFFFFU;
  packet.ray.id[lane] = 0;
  packet.ray.flags[lane] = 0;
  packet.hit.geomID[lane] = RTC_INVALID_GEOMETRY_ID;
  packet.hit.instID[0][lane] = RTC_INVALID_GEOMETRY_ID;
}

template <std::size_t Width>
void findInPackets(const EmbreeScene& scene, std::span<const PathRay> rays, std::size_t from,
                   std::size_t to, float maxRangeM, std::span<FacetHit> hits) {
  PacketQuery query;
  typename PacketOf<Width>::RayHit packet{};
  for (std::size_t first = from / Width * Width; first < to; first += Width) {
    const std::size_t active = std::min(Width, rays.size() - first);
    alignas(64) std::array<int, Width> valid{};
    for (std::size_t lane = 0; lane < active; ++lane) {
      aim<Width>(packet, lane, rays[first + lane], maxRangeM);
      valid[lane] = -1;
    }
    query.intersect<Width>(valid.data(), scene.top(), packet);
    for (std::size_t lane = 0; lane < active; ++lane) {
      hits[first + lane] = {packet.ray.tfar[lane],
                            {packet.hit.Ng_x[lane], packet.hit.Ng_y[lane], packet.hit.Ng_z[lane]},
                            packet.hit.instID[0][lane],
                            packet.hit.primID[lane],
                            packet.hit.geomID[lane] != RTC_INVALID_GEOMETRY_ID};
    }
  }
}

}  // namespace

void findFirstHits(const EmbreeScene& scene, std::span<const PathRay> rays, std::size_t from,
                   std::size_t to, float maxRangeM, std::span<FacetHit> hits) {
  switch (packetWidth(scene.device().isa())) {
    case 16:
      return findInPackets<16>(scene, rays, from, to, maxRangeM, hits);
    case 8:
      return findInPackets<8>(scene, rays, from, to, maxRangeM, hits);
    default:
      return findInPackets<4>(scene, rays, from, to, maxRangeM, hits);
  }
}

}  // namespace understory
