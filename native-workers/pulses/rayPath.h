// What one ray hits on its whole path: the surface where it ends, and before it surfaces that let a share
// through and mirrors that turn it (PHYSICS.md, 1.2).
//
// Energy. A ray starts with share 1. At a surface of transmittance T that it meets with share s, s (1 - T)
// ends there and is that hit's share; s T continues straight on. A mirror absorbs nothing and transmits nothing:
// all of s continues, mirrored about the facet's normal. So the shares of a ray's hits sum to at most 1, and to
// 1 within rounding where the last surface transmits nothing; what leaves the scene, the maximum range or
// the mirror depth belongs to no hit. A ray ends below minShare, or after maxFacets facets.
// A surface nearer than the minimum range yields no hit, but receives its share: an opaque one blocks the ray.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "aim/rangeLimits.h"
#include "core/optics/sceneOptics.h"
#include "surfaces/hits.h"

namespace understory {

inline constexpr double minShare = 1.0 / 1024.0;
inline constexpr std::size_t maxFacets = 32;  // that transmit a share

// A hit within the range limits.
struct PathHit {
  float rangeM = 0.0F;     // along the whole path
  float intensity = 0.0F;  // of the ray's whole energy as 1
  float share = 0.0F;      // of the ray's energy that ends here
  float cosIncidence = 0.0F;
  Vec3f towards;  // the hit lies at origin + towards * rangeM: the ray's direction, unless mirrored
  Vec3f normal;   // world, unit, towards where the ray comes from
  std::uint32_t instance = 0;
  std::uint32_t primitive = 0;
  std::uint16_t material = 0;
  std::uint8_t mirrors = 0;  // on the path
};

// A path under construction, without the source of its hits.
class RayPath {
 public:
  // Both outlive it.
  RayPath(const SceneTruth& scene, const SceneOptics& optics, RangeLimits limits)
      : scene_(scene), optics_(optics), limits_(limits) {}

  void start(const PathRay& ray);
  // Adds a facet, at its range on the leg; appends its hit, if it is one. Returns whether the ray continues.
  bool add(const FacetHit& at, std::vector<PathHit>& hits);

  // The straight part of the path in progress, and its limits: the next facet lies from nearestM() to farthestM().
  const PathRay& leg() const { return leg_; }
  float nearestM() const;
  float farthestM() const;
  // Whether a facet was already met on this leg. Why: packets and single rays round differently, so that a facet may
  // seem to lie behind itself.
  bool isPassed(const FacetHit& hit) const;
  // The next facet must lie farther away than this one.
  void skip(const FacetHit& hit) { behindM_ = std::max(nearestM(), hit.rangeM); }

 private:
  struct Facet {
    std::uint32_t instance;
    std::uint32_t primitive;
  };

  const SceneTruth& scene_;
  const SceneOptics& optics_;
  RangeLimits limits_;
  PathRay ray_;
  PathRay leg_;
  double beforeM_ = 0.0;  // length of the path up to the leg
  float behindM_ = 0.0F;
  double share_ = 1.0;
  std::size_t facets_ = 0;
  std::uint8_t mirrors_ = 0;
  std::vector<Facet> passed_;  // on the leg
};

// Follows one ray after another. One for each thread.
template <HitSource Source>
class PathFollower {
 public:
  // All outlive the follower.
  PathFollower(const Source& source, const SceneTruth& scene, const SceneOptics& optics,
               RangeLimits limits)
      : source_(source), path_(scene, optics, limits) {}

  // Appends the hits of a ray, nearest first. `first`: the nearest facet within the maximum range.
  void follow(const PathRay& ray, const FacetHit& first, std::vector<PathHit>& hits) {
    path_.start(ray);
    for (FacetHit at = first; at.isHit && path_.add(at, hits);) at = next();
  }

 private:
  // The next facet of the leg, none of those passed on it.
  FacetHit next() {
    for (;;) {
      const float fromM = path_.nearestM();
      const float toM = path_.farthestM();
      if (fromM > toM) return {};
      const FacetHit found = source_.nearest(path_.leg(), fromM, toM);
      if (!found.isHit || !path_.isPassed(found)) return found;
      path_.skip(found);
    }
  }

  const Source& source_;
  RayPath path_;
};

}  // namespace understory
