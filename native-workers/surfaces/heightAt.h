// The height of what stands or lies at a place, from above: by one ray of any source of hits.
#pragma once

#include <optional>

#include "core/maths/maths.h"
#include "surfaces/hits.h"

namespace understory {

// `bounds` has everything that the source has, in the world. nullopt: there is nothing at (xM, yM).
template <HitSource Source>
std::optional<double> heightAt(const Source& source, const Scene& scene, const Boundsf& bounds,
                               double xM, double yM) {
  if (source.isEmpty() || isEmpty(bounds)) return std::nullopt;
  constexpr double marginM = 1.0;
  const Vec3d topM{xM, yM, static_cast<double>(bounds.max.z) + marginM};
  const auto reachM = static_cast<float>(topM.z - static_cast<double>(bounds.min.z) + marginM);
  const Vec3f originM = toFloat(topM - scene.originM);
  const FacetHit hit = source.nearest(PathRay{originM, {0.0F, 0.0F, -1.0F}}, 0.0F, reachM);
  if (!hit.isHit) return std::nullopt;
  return scene.originM.z + static_cast<double>(originM.z) - static_cast<double>(hit.rangeM);
}

}  // namespace understory
