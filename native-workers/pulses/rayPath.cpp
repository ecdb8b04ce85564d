// Leg by leg from mirror to mirror, facet by facet on each leg.
#include "pulses/rayPath.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/optics/shading.h"

namespace understory {
namespace {

// Facet normal and incidence, in the same arithmetic as GroupTracer's.
struct Incidence {
  Vec3f normal;
  float cosine;
};

Incidence incidenceOf(Vec3f facet, Vec3f direction) {
  const float along = facet.x * direction.x + facet.y * direction.y + facet.z * direction.z;
  const float squared = facet.x * facet.x + facet.y * facet.y + facet.z * facet.z;
  const float scale = (along > 0.0F ? -1.0F : 1.0F) / std::sqrt(squared);
  return {facet * scale, std::min(1.0F, std::abs(along * scale))};
}

// Where a mirrored leg starts. Why lifted off the mirror: the point is rounded, and behind a neighbouring
// facet of the same flat mirror it would meet that one. 2^-20 of the coordinates is 16 steps of rounding.
Vec3f lifted(Vec3f point, Vec3f normal, float rangeM) {
  const float most = std::max({std::abs(point.x), std::abs(point.y), std::abs(point.z), rangeM});
  return point + normal * (most * 0x1.0p-20F);
}

// The least length above one. Why not below the least normal number: Embree takes smaller ones for 0.
float beyond(float rangeM) {
  return std::max(std::nextafter(rangeM, std::numeric_limits<float>::infinity()),
                  std::numeric_limits<float>::min());
}

}  // namespace

void PathFollower::follow(const PathRay& ray, const FacetHit& first, std::vector<PathHit>& hits) {
  Leg leg{ray.originM, ray.direction, 0.0};
  double share = 1.0;
  std::size_t facets = 0;
  std::uint8_t mirrors = 0;
  passed_.clear();
  for (FacetHit at = first; at.isHit; at = next(leg, at.rangeM)) {
    const InstanceShading& shading = scene_.shading()[at.instance];
    const std::uint16_t material = shading.materialOf(at.primitive);
    const MaterialOptics& optics = optics_.materials[material];
    const auto [normal, cosine] = incidenceOf(shading.inWorld(at.facet), leg.direction);
    const Vec3f pointM = leg.originM + leg.direction * at.rangeM;
    const double rangeM = leg.beforeM + static_cast<double>(at.rangeM);
    if (optics.surface.kind == SurfaceKind::mirror) {
      if (mirrors == optics_.mirrorDepth) return;
      ++mirrors;
      const float back = 2.0F * dot(leg.direction, normal);
      leg = {lifted(pointM, normal, at.rangeM), normalized(leg.direction - normal * back), rangeM};
      passed_.assign(1, {at.instance, at.primitive});
      at.rangeM = 0.0F;
      continue;
    }
    const double stays = share * (1.0 - optics.transmittance);
    const auto reportedM = static_cast<float>(rangeM);
    if (reportedM >= limits_.minM && stays > 0.0) {
      const double back =
          backscatter(optics.surface, optics.reflectance, static_cast<double>(cosine)) *
          distanceFactor(optics_.radiometry, optics_.extinctionPerM, rangeM);
      const Vec3f towards =
          mirrors == 0 ? ray.direction : (pointM - ray.originM) * (1.0F / reportedM);
      hits.push_back({reportedM, static_cast<float>(share * back), static_cast<float>(stays), cosine,
                      towards, normal, at.instance, at.primitive, material, mirrors});
    }
    share *= optics.transmittance;
    if (share < leastShare || ++facets == mostFacets) return;
    passed_.push_back({at.instance, at.primitive});
  }
}

FacetHit PathFollower::next(const Leg& leg, float behindM) {
  RTCRayHit query{};
  query.ray.org_x = leg.originM.x;
  query.ray.org_y = leg.originM.y;
  query.ray.org_z = leg.originM.z;
  query.ray.dir_x = leg.direction.x;
  query.ray.dir_y = leg.direction.y;
  query.ray.dir_z = leg.direction.z;
  query.ray.mask = 0xFFFFFFFFU;
  const auto mostM = static_cast<float>(static_cast<double>(limits_.maxM) - leg.beforeM);
  query.ray.tfar = behindM;
  FacetHit found;
  do {
    // Why again and again: packets and single rays round differently, so a facet may seem to lie behind
    // itself. Each turn starts farther away.
    query.ray.tnear = beyond(std::max(query.ray.tnear, query.ray.tfar));
    query.ray.tfar = mostM;
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    if (query.ray.tnear > mostM) return {};
    query_.intersect(scene_.top(), query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
    found = {query.ray.tfar,
             {query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z},
             query.hit.instID[0],
             query.hit.primID,
             true};
  } while (isPassed(found));
  return found;
}

bool PathFollower::isPassed(const FacetHit& hit) const {
  return std::any_of(passed_.begin(), passed_.end(), [&](const Facet& facet) {
    return facet.instance == hit.instance && facet.primitive == hit.primitive;
  });
}

}  // namespace understory
