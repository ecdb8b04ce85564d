// Spheres as a source of hits in closed form: the second source, to show that a source is a file beside the first.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "surfaces/hits.h"

namespace understory {

struct Sphere {
  std::uint32_t instance = 0;  // index in the scene; unrotated
  Vec3f centreM;
  float radiusM = 1.0F;
};

class Spheres {
 public:
  static constexpr bool isStill = true;

  explicit Spheres(std::vector<Sphere> spheres) : spheres_(std::move(spheres)) {}

  bool isEmpty() const { return spheres_.empty(); }
  std::uint64_t queries() const { return queries_; }

  template <std::size_t Width>
  void nearest(const RayLanes& rays, std::size_t active, PacketHits<Width>& hits) const {
    for (std::size_t lane = 0; lane < active; ++lane) {
      const PathRay ray{{rays.originX[lane], rays.originY[lane], rays.originZ[lane]},
                        {rays.directionX[lane], rays.directionY[lane], rays.directionZ[lane]}};
      const FacetHit hit = nearest(ray, 0.0F, hits.rangeM[lane]);
      hits.instance[lane] = hit.isHit ? hit.instance : noInstance;
      hits.rangeM[lane] = hit.rangeM;
      hits.facetX[lane] = hit.facet.x;
      hits.facetY[lane] = hit.facet.y;
      hits.facetZ[lane] = hit.facet.z;
      hits.primitive[lane] = hit.primitive;
    }
  }

  FacetHit nearest(const PathRay& ray, float fromM, float limitM) const {
    ++queries_;
    FacetHit found;
    for (const Sphere& sphere : spheres_) {
      const Vec3d toCentre = toDouble(sphere.centreM - ray.originM);
      const Vec3d direction = toDouble(ray.direction);
      const double along = dot(toCentre, direction);
      const double beside = dot(toCentre, toCentre) - along * along;
      const double radius = static_cast<double>(sphere.radiusM);
      if (beside > radius * radius) continue;
      const double half = std::sqrt(radius * radius - beside);
      for (const double rangeM : {along - half, along + half}) {
        const auto range = static_cast<float>(rangeM);
        if (!(range >= fromM && range <= limitM)) continue;
        const Vec3f point = ray.originM + ray.direction * range;
        const FacetHit hit{range, point - sphere.centreM, sphere.instance, 0, true};
        if (!found.isHit || isBefore(hit, found)) found = hit;
        break;
      }
    }
    return found;
  }

 private:
  std::vector<Sphere> spheres_;
  mutable std::atomic<std::uint64_t> queries_{0};
};

}  // namespace understory
