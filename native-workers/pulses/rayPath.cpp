// Leg by leg from mirror to mirror, facet by facet on each leg.
#include "pulses/rayPath.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/mutation.h"
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
  const float largest = std::max({std::abs(point.x), std::abs(point.y), std::abs(point.z), rangeM});
  return point + normal * (largest * 0x1.0p-20F);
}

}  // namespace

void RayPath::start(const PathRay& ray) {
  ray_ = ray;
  leg_ = ray;
  beforeM_ = 0.0;
  behindM_ = 0.0F;
  share_ = 1.0;
  facets_ = 0;
  mirrors_ = 0;
  passed_.clear();
}

bool RayPath::add(const FacetHit& at, std::vector<PathHit>& hits) {
  const InstanceShading& shading = scene_.instances[at.instance];
  const std::uint16_t material = shading.materialOf(at.primitive);
  const MaterialOptics& optics = optics_.materials[material];
  const auto [normal, cosine] = incidenceOf(shading.inWorld(at.facet), leg_.direction);
  const Vec3f pointM = leg_.originM + leg_.direction * at.rangeM;
  const double rangeM = beforeM_ + static_cast<double>(at.rangeM);
  if (optics.surface.kind == SurfaceKind::mirror) {
    const bool isOneMore = activeMutation() == Mutation::oneMirrorMore;
    if (mirrors_ == optics_.mirrorDepth + (isOneMore ? 1U : 0U)) return false;
    ++mirrors_;
    const float back = 2.0F * dot(leg_.direction, normal);
    leg_.originM = lifted(pointM, normal, at.rangeM);
    leg_.direction = normalized(leg_.direction - normal * back);
    beforeM_ = rangeM;
    behindM_ = 0.0F;
    passed_.assign(1, {at.instance, at.primitive});
    return true;
  }
  const double stays = share_ * (1.0 - optics.transmittance);
  const auto reportedM = static_cast<float>(rangeM);
  if (reportedM >= limits_.minM && stays > 0.0) {
    const double back =
        backscatter(optics.surface, optics.reflectance, static_cast<double>(cosine)) *
        distanceFactor(optics_.radiometry, optics_.extinctionPerM, rangeM);
    const Vec3f towards =
        mirrors_ == 0 ? ray_.direction : (pointM - ray_.originM) * (1.0F / reportedM);
    hits.push_back({reportedM, static_cast<float>(share_ * back), static_cast<float>(stays), cosine,
                    towards, normal, at.instance, at.primitive, material, mirrors_});
  }
  share_ *= optics.transmittance;
  if (activeMutation() == Mutation::gapTwice) share_ *= optics.transmittance;
  if (share_ < minShare || ++facets_ == maxFacets) return false;
  passed_.push_back({at.instance, at.primitive});
  behindM_ = at.rangeM;
  return true;
}

// The smallest length above the last facet's. Why not below the smallest normal number: Embree takes smaller ones
// for 0.
float RayPath::nearestM() const {
  return std::max(std::nextafter(behindM_, std::numeric_limits<float>::infinity()),
                  std::numeric_limits<float>::min());
}

float RayPath::farthestM() const {
  return static_cast<float>(static_cast<double>(limits_.maxM) - beforeM_);
}

bool RayPath::isPassed(const FacetHit& hit) const {
  return std::any_of(passed_.begin(), passed_.end(), [&](const Facet& facet) {
    return facet.instance == hit.instance && facet.primitive == hit.primitive;
  });
}

}  // namespace understory
