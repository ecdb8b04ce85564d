// Hits of rays: the interface between pulses and the sources of hits. A source is one kind of thing that
// rays meet (triangles; later learned volumes and particles in the air), in a folder of its own beside this file.
// A source is chosen once a job, as a template parameter, so that nothing is looked up for each ray.
//
// A source answers for a packet of rays, which leave a sensor, and for a single ray. It finds the nearest hit at or
// below the limit of each ray; of several at the same range the one with the lower (instance, primitive). Instances are
// those of the one Scene, and plants of its landscapes, whichever source they belong to. A source is immutable while it is asked, by many threads at
// once.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/maths/maths.h"
#include "core/scene/scene.h"
#include "surfaces/instanceShading.h"

namespace understory {

class LearnedDraws;
class LineSource;

inline constexpr std::uint32_t noInstance = 0xFFFFFFFFU;

// Rays that leave a sensor meet nothing nearer, and no plane that passes their origin nearer (pulses/firstHits.h): a
// sensor on a surface is not shut in by it. The origin is relative to Scene::originM; it and the surface are rounded by
// up to a step of its largest coordinate, 2^-24 of it, each.
inline float minHitM(Vec3f originM) {
  return 1e-5F +
         0x1.0p-22F * std::max({std::abs(originM.x), std::abs(originM.y), std::abs(originM.z)});
}

// Rays side by side: value i of each array belongs to ray i. Relative to Scene::originM, directions of length 1.
// Arrays are readable for a whole packet, also where fewer rays are asked for.
struct RayLanes {
  const float* originX = nullptr;
  const float* originY = nullptr;
  const float* originZ = nullptr;
  const float* directionX = nullptr;
  const float* directionY = nullptr;
  const float* directionZ = nullptr;
  // When each leaves the sensor, for sources that are not still. Null: all at 0.
  const std::int64_t* timeNs = nullptr;
  // Where learned surfaces let pulses pass: the absolute number of each ray's pulse, and what is drawn for it. Null:
  // learned surfaces are opaque.
  const std::uint64_t* pulse = nullptr;
  const LearnedDraws* draws = nullptr;

  RayLanes from(std::size_t ray) const {
    return {originX + ray,
            originY + ray,
            originZ + ray,
            directionX + ray,
            directionY + ray,
            directionZ + ray,
            timeNs == nullptr ? nullptr : timeNs + ray,
            pulse == nullptr ? nullptr : pulse + ray,
            draws};
  }
};

// A triangle of an instance.
struct FacetId {
  std::uint32_t instance = noInstance;
  std::uint32_t primitive = 0;
};

// One ray as it leaves the sensor, or a mirror.
struct PathRay {
  Vec3f originM;
  Vec3f direction;
  std::int64_t timeNs = 0;
  // Facets that it has met already and passes: a source of triangles that let light through does not find them again.
  // Others may.
  std::span<const FacetId> passed{};
  // As RayLanes has them.
  std::uint64_t pulse = 0;
  const LearnedDraws* draws = nullptr;
  // Not null: permeable learned surfaces are passed whatever is drawn, and lower it to the fewest beams that observed a
  // triangle of theirs.
  std::uint32_t* minSupport = nullptr;
};

// The nearest facet along a ray.
struct FacetHit {
  float rangeM = 0.0F;
  // Normal of any length: in the model's frame, of instances that move or sway in the world's.
  Vec3f facet;
  std::uint32_t instance = 0;
  std::uint32_t primitive = 0;
  bool isHit = false;
};

// The same for a packet. Before a query `rangeM` holds the limit of each ray; after it, where `instance` is not
// noInstance, the range of the hit. The rest has no meaning for rays without one.
template <std::size_t Width>
struct PacketHits {
  alignas(4 * Width) std::array<float, Width> rangeM;
  alignas(4 * Width) std::array<float, Width> facetX;
  alignas(4 * Width) std::array<float, Width> facetY;
  alignas(4 * Width) std::array<float, Width> facetZ;
  alignas(4 * Width) std::array<std::uint32_t, Width> instance;
  alignas(4 * Width) std::array<std::uint32_t, Width> primitive;

  FacetHit at(std::size_t ray) const {
    return {rangeM[ray],
            {facetX[ray], facetY[ray], facetZ[ray]},
            instance[ray],
            primitive[ray],
            instance[ray] != noInstance};
  }

  void set(std::size_t ray, const FacetHit& hit) {
    rangeM[ray] = hit.rangeM;
    facetX[ray] = hit.facet.x;
    facetY[ray] = hit.facet.y;
    facetZ[ray] = hit.facet.z;
    instance[ray] = hit.instance;
    primitive[ray] = hit.primitive;
  }

  // By the hits of `others` where `isReplaced` is -1; elsewhere it is 0.
  void replace(const std::array<std::int32_t, Width>& isReplaced, const PacketHits& others) {
    const auto blend = [&](auto& own, const auto& other) {
      for (std::size_t ray = 0; ray < Width; ++ray) {
        own[ray] = isReplaced[ray] != 0 ? other[ray] : own[ray];
      }
    };
    blend(rangeM, others.rangeM);
    blend(facetX, others.facetX);
    blend(facetY, others.facetY);
    blend(facetZ, others.facetZ);
    blend(instance, others.instance);
    blend(primitive, others.primitive);
  }
};

// Whether hit `a` comes before hit `b` along a ray that has both.
inline bool isBefore(const FacetHit& a, const FacetHit& b) {
  if (a.rangeM != b.rangeM) return a.rangeM < b.rangeM;
  if (a.instance != b.instance) return a.instance < b.instance;
  return a.primitive < b.primitive;
}

template <typename Type>
concept HitSource = requires(const Type& source, const RayLanes& rays, PacketHits<4>& four,
                             PacketHits<8>& eight, PacketHits<16>& sixteen, const PathRay& ray) {
  // Whether no hit depends on the time of its ray.
  { Type::isStill } -> std::convertible_to<bool>;
  // Without anything to hit: then it is not queried.
  { source.isEmpty() } -> std::convertible_to<bool>;
  // The first so many lanes of a packet; the others keep no meaning. minHitM(origin) < range <= limit.
  source.nearest(rays, std::size_t{}, four);
  source.nearest(rays, std::size_t{}, eight);
  source.nearest(rays, std::size_t{}, sixteen);
  // fromM <= range <= limitM.
  { source.nearest(ray, 0.0F, 0.0F) } -> std::same_as<FacetHit>;
};

// A scene as a pulse needs it beside its hits. The scene outlives it.
struct SceneTruth {
  const Scene& scene;                 // materials, air, instances
  const InstanceShadings& instances;  // by number
  std::size_t packetWidth = 4;        // rays that the instruction set traces at a time: 4, 8 or 16
  // Elements and points of learned models, which the line of a pulse meets (surfaces/lines.h); null: none.
  const LineSource* lines = nullptr;
};

}  // namespace understory
