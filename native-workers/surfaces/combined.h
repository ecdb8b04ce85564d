// Several sources of hits as one: each ray gets the nearest hit of all. Guarantee: neither the order of the sources
// nor one that is empty changes a hit; an empty source is not queried.
#pragma once

#include <cmath>
#include <limits>
#include <tuple>

#include "surfaces/hits.h"

namespace understory {

template <HitSource... Sources>
class CombinedSource {
 public:
  static constexpr bool isStill = (Sources::isStill && ...);

  // The sources outlive it.
  explicit CombinedSource(const Sources&... sources) : sources_(sources...) {}

  bool isEmpty() const {
    return std::apply([](const auto&... source) { return (source.isEmpty() && ...); }, sources_);
  }

  template <std::size_t Width>
  void nearest(const RayLanes& rays, std::size_t active, PacketHits<Width>& hits) const {
    hits.instance.fill(noInstance);
    std::apply([&](const auto&... source) { (merge(source, rays, active, hits), ...); }, sources_);
  }

  FacetHit nearest(const PathRay& ray, float fromM, float limitM) const {
    FacetHit hit;
    const auto ask = [&](const auto& source) {
      if (source.isEmpty()) return;
      const FacetHit found = source.nearest(ray, fromM, hit.isHit ? beyond(hit.rangeM) : limitM);
      if (found.isHit && (!hit.isHit || isBefore(found, hit))) hit = found;
    };
    std::apply([&](const auto&... source) { (ask(source), ...); }, sources_);
    return hit;
  }

 private:
  // Why beyond: the limit of the next source includes a hit at the same range, so that the order of instances
  // decides and not that of sources.
  static float beyond(float rangeM) {
    return std::nextafter(rangeM, std::numeric_limits<float>::infinity());
  }

  template <typename Source, std::size_t Width>
  static void merge(const Source& source, const RayLanes& rays, std::size_t active,
                    PacketHits<Width>& hits) {
    if (source.isEmpty()) return;
    PacketHits<Width> found;
    for (std::size_t lane = 0; lane < active; ++lane) {
      found.rangeM[lane] =
          hits.instance[lane] == noInstance ? hits.rangeM[lane] : beyond(hits.rangeM[lane]);
    }
    for (std::size_t lane = active; lane < Width; ++lane) found.rangeM[lane] = 0.0F;
    source.nearest(rays, active, found);
    for (std::size_t lane = 0; lane < active; ++lane) {
      if (found.instance[lane] == noInstance) continue;
      if (hits.instance[lane] != noInstance && !isBefore(found.at(lane), hits.at(lane))) continue;
      hits.rangeM[lane] = found.rangeM[lane];
      hits.facetX[lane] = found.facetX[lane];
      hits.facetY[lane] = found.facetY[lane];
      hits.facetZ[lane] = found.facetZ[lane];
      hits.instance[lane] = found.instance[lane];
      hits.primitive[lane] = found.primitive[lane];
    }
  }

  std::tuple<const Sources&...> sources_;
};

}  // namespace understory
