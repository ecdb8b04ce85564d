// What one ray meets on its whole way: the surface where it ends, and before it leaves that let a share
// through and mirrors that turn it (PHYSICS.md, 1.2).
//
// Energy. A ray sets out with share 1. At a surface of transmittance T that it meets with share s, s (1 - T)
// ends there and is that hit's share; s T goes straight on. A mirror takes nothing and lets nothing through:
// all of s continues, mirrored about the facet's normal. So the shares of a ray's hits sum to at most 1, and to
// 1 within rounding where the last surface lets nothing through; what leaves the scene, the maximum range or
// the mirror depth belongs to no hit. A ray is given up below leastShare, or after mostFacets facets.
// What lies nearer than the minimum range yields no hit, but takes its share: what is opaque blocks the ray.
#pragma once

#include <cstdint>
#include <vector>

#include "core/optics/sceneOptics.h"
#include "surfaces/embree/embree.h"
#include "surfaces/embree/embreeScene.h"
#include "aim/rangeLimits.h"

namespace understory {

inline constexpr double leastShare = 1.0 / 1024.0;
inline constexpr std::size_t mostFacets = 32;  // that let a share through

// A ray as it leaves the sensor. World, direction of length 1.
struct PathRay {
  Vec3f originM;
  Vec3f direction;
};

// The nearest facet along a ray, as Embree gives it.
struct FacetHit {
  float rangeM = 0.0F;
  Vec3f facet;  // normal in the model's frame, of any length
  std::uint32_t instance = 0;
  std::uint32_t primitive = 0;
  bool isHit = false;
};

// A hit within the range limits.
struct PathHit {
  float rangeM = 0.0F;     // along the whole way
  float intensity = 0.0F;  // of the ray's whole energy as 1
  float share = 0.0F;      // of the ray's energy that ends here
  float cosIncidence = 0.0F;
  Vec3f towards;  // the hit itself lies at origin + towards * rangeM: the ray's direction, unless mirrored
  Vec3f normal;   // world, unit, towards where the ray comes from
  std::uint32_t instance = 0;
  std::uint32_t primitive = 0;
  std::uint16_t material = 0;
  std::uint8_t mirrors = 0;  // on the way
};

// Follows one ray after another. One for each thread.
class PathFollower {
 public:
  // Both outlive the follower.
  PathFollower(const EmbreeScene& scene, const SceneOptics& optics, RangeLimits limits)
      : scene_(scene), optics_(optics), limits_(limits) {}

  // Appends the hits of a ray, nearest first. `first`: the nearest facet within the maximum range.
  void follow(const PathRay& ray, const FacetHit& first, std::vector<PathHit>& hits);

 private:
  struct Facet {
    std::uint32_t instance;
    std::uint32_t primitive;
  };
  // A straight part of the way.
  struct Leg {
    Vec3f originM;
    Vec3f direction;
    double beforeM = 0.0;  // length of the way up to it
  };

  // The next facet of a leg, more than `behindM` along it, none of those passed on this leg.
  FacetHit next(const Leg& leg, float behindM);
  bool isPassed(const FacetHit& hit) const;

  const EmbreeScene& scene_;
  const SceneOptics& optics_;
  RangeLimits limits_;
  RayQuery query_{false};
  std::vector<Facet> passed_;  // on the leg under way
};

}  // namespace understory
